//! Coerces replies that have the shape of their schema.
//!
//! A small model that is shown a JSON Schema often repeats it: with its values in the place of the types, or with the
//! types themselves. The values are read; a schema alone is one doubt.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    object::names,
    outcome::{Form, Outcome, OutcomePart},
    resemblance::shares_key,
    shape::CoercionGraph,
    wrap::repaired_part,
};
use crate::repair::catalogue::RepairKind;

/// The keywords that hold a value in the shape of a schema: the members of an object, the items of a list, and any
/// value.
const PROPERTIES: &str = "properties";
const ITEMS: &str = "items";
const VALUE: &str = "value";
/// The keywords of schemas that models write.
const KEYWORDS: [&str; 37] = [
    "type",
    PROPERTIES,
    "required",
    "title",
    "description",
    "additionalProperties",
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "$comment",
    "definitions",
    ITEMS,
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "enum",
    "const",
    "default",
    "examples",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "patternProperties",
    "propertyNames",
    "propertyOrdering",
    "nullable",
    "anyOf",
    "oneOf",
    "allOf",
];
/// The keywords without `type` that make an object a schema.
const CHOICES: [&str; 4] = ["anyOf", "oneOf", "allOf", "enum"];

impl Coercer<'_> {
    /// Coerces values in the place of the types of a schema: `{"type": "object", "properties": {"name": "Ada"}}`.
    /// A schema without values is a doubt.
    ///
    /// A value that fits as it is and has a member of its own among the keywords is not changed.
    pub(super) fn echoed(
        &mut self,
        id: NodeId,
        node: &Node,
        value: &Value,
        direct: &Outcome,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let members = value.as_object().filter(|members| has_keywords_alone(members))?;
        let is_own = |key: &String| node.objects.has_property(key);
        if node.is_map() || direct.fits() && members.keys().any(is_own) {
            return None;
        }
        if let Some(types) = self.shape.types_alone(id, node, value) {
            return Some(types);
        }
        let key = holder(node, members)?;
        let held = members.get(key)?;
        // One item stands for the list.
        let item = node.lists.items.filter(|_| key == ITEMS && held.is_object());
        let part = OutcomePart::member(key, self.coerce(item.unwrap_or(id), held, lossy));
        let form = |part| if item.is_some() { Form::List(vec![part]) } else { Form::Only(part) };
        Some(Rc::new(repaired_part(form, part, RepairKind::SchemaShape.with_subject(key))))
    }
}

impl CoercionGraph<'_> {
    /// Returns the doubt of a schema in the place of a value.
    pub(super) fn types_alone(self, id: NodeId, node: &Node, value: &Value) -> Option<Rc<Outcome>> {
        if !self.is_schema_of(id, value) {
            return None;
        }
        let message = match node.objects.properties.is_empty() {
            true => "is a type in place of a value; give the value alone".to_owned(),
            false => format!(
                "repeats the schema, with types in place of values; give the values of {} alone",
                names(&node.objects)
            ),
        };
        Some(Rc::new(Outcome::doubt(message)))
    }

    /// Returns whether a value is a schema for a node, and none of its values.
    pub(super) fn is_schema_of(self, id: NodeId, value: &Value) -> bool {
        let Some(members) = value.as_object() else { return false };
        has_keywords_alone(members)
            && !members.contains_key(VALUE)
            && self.leaves(&[id]).iter().any(|node| self.is_schema_of_leaf(node, members))
            && !self.leaves(&[id]).iter().any(|node| node.is_anything)
    }

    fn is_schema_of_leaf(self, node: &Node, members: &Map<String, Value>) -> bool {
        if let Some(values) = members.get(PROPERTIES).and_then(Value::as_object)
            && shares_key(node, values)
            && !node.objects.has_property(PROPERTIES)
        {
            let typed = |id: &NodeId| self.node(*id).is_some_and(|node| !node.is_anything);
            let known = values.iter().filter_map(|(key, value)| {
                let (_, property) = node.objects.property(key)?;
                Some(property.node).filter(typed).map(|id| (id, value))
            });
            let mut known = known.peekable();
            return known.peek().is_some() && known.all(|(id, value)| self.is_schema_of(id, value));
        }
        if let (Some(items), Some(of)) = (members.get(ITEMS), node.lists.items) {
            return names_type(node, members) && self.is_schema_of(of, items);
        }
        let is_own = |key: &String| node.objects.has_property(key);
        let is_map = || members.get("additionalProperties").is_some_and(Value::is_object);
        names_type(node, members) && !members.keys().any(is_own) && (!node.is_map() || is_map())
    }
}

/// Returns the keyword under which a value in the shape of a schema holds the value for a node.
fn holder(node: &Node, members: &Map<String, Value>) -> Option<&'static str> {
    let named = members.get("type").map(types_named);
    let is_of = |types: Types| named.is_none_or(|named| named.contains(types));
    let values = || members.get(PROPERTIES).and_then(Value::as_object);
    let is_list = node.types.contains(Types::LIST) && !node.types.contains(Types::OBJECT);
    if is_of(Types::OBJECT) && values().is_some_and(|values| shares_key(node, values)) {
        return Some(PROPERTIES).filter(|key| !node.objects.has_property(key));
    }
    if is_list && named.is_some() && is_of(Types::LIST) && members.contains_key(ITEMS) {
        return Some(ITEMS);
    }
    let is_typed = named.is_some_and(|named| named != Types::NONE) && members.contains_key(VALUE);
    Some(VALUE).filter(|key| is_typed && !node.objects.has_property(key))
}

/// Returns whether all keys of an object are keywords of a schema, or the one of a value.
fn has_keywords_alone(members: &Map<String, Value>) -> bool {
    !members.is_empty()
        && members.keys().all(|key| key == VALUE || KEYWORDS.contains(&key.as_str()))
}

/// Returns whether an object says which type a value has, and it is one of the node.
fn names_type(node: &Node, members: &Map<String, Value>) -> bool {
    let is_of = |kind| types_named(kind).and(node.types) != Types::NONE;
    members.get("type").is_some_and(is_of)
        || members.get("$ref").is_some_and(Value::is_string)
        || CHOICES.iter().any(|key| members.get(*key).is_some_and(Value::is_array))
}

/// Returns the types that the `type` of a schema names.
fn types_named(kind: &Value) -> Types {
    let name = |kind: &Value| kind.as_str().map_or(Types::NONE, Types::from_name);
    match kind {
        Value::Array(kinds) => kinds.iter().map(name).fold(Types::NONE, Types::or),
        kind => name(kind),
    }
}
