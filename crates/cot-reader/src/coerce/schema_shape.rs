//! Recognizes schemas in the place of values.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Objects, Types};
use serde_json::{Map, Value};

use super::{outcome::Outcome, resemblance::shares_key, shape::CoercionGraph};

/// The keywords that hold a value in the shape of a schema: the members of an object, the items of a list, and any
/// value.
pub(super) const PROPERTIES: &str = "properties";
pub(super) const ITEMS: &str = "items";
pub(super) const VALUE: &str = "value";
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
/// Maximum number of known keys in an issue.
const MAX_NAMED: usize = 5;

/// Returns the doubt of a schema in the place of a value.
pub(super) fn types_alone(
    shape: CoercionGraph<'_>,
    id: NodeId,
    node: &Node,
    value: &Value,
) -> Option<Rc<Outcome>> {
    if !is_schema_of(shape, id, value) {
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
pub(super) fn is_schema_of(shape: CoercionGraph<'_>, id: NodeId, value: &Value) -> bool {
    let Some(members) = value.as_object() else { return false };
    has_keywords_alone(members)
        && !members.contains_key(VALUE)
        && shape.leaves(&[id]).iter().any(|node| is_schema_of_leaf(shape, node, members))
        && !shape.leaves(&[id]).iter().any(|node| node.is_anything)
}

fn is_schema_of_leaf(shape: CoercionGraph<'_>, node: &Node, members: &Map<String, Value>) -> bool {
    if let Some(values) = members.get(PROPERTIES).and_then(Value::as_object)
        && shares_key(node, values)
        && !node.objects.has_property(PROPERTIES)
    {
        let typed = |id: &NodeId| shape.node(*id).is_some_and(|node| !node.is_anything);
        let known = values.iter().filter_map(|(key, value)| {
            let (_, property) = node.objects.property(key)?;
            Some(property.node).filter(typed).map(|id| (id, value))
        });
        let mut known = known.peekable();
        return known.peek().is_some() && known.all(|(id, value)| is_schema_of(shape, id, value));
    }
    if let (Some(items), Some(of)) = (members.get(ITEMS), node.lists.items) {
        return names_type(node, members) && is_schema_of(shape, of, items);
    }
    let is_own = |key: &String| node.objects.has_property(key);
    let is_map = || members.get("additionalProperties").is_some_and(Value::is_object);
    names_type(node, members) && !members.keys().any(is_own) && (!node.is_map() || is_map())
}

/// Returns whether all keys of an object are keywords of a schema, or the one of a value.
pub(super) fn has_keywords_alone(members: &Map<String, Value>) -> bool {
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
pub(super) fn types_named(kind: &Value) -> Types {
    let name = |kind: &Value| kind.as_str().map_or(Types::NONE, Types::from_name);
    match kind {
        Value::Array(kinds) => kinds.iter().map(name).fold(Types::NONE, Types::or),
        kind => name(kind),
    }
}

/// Formats the first property names as a list.
pub(super) fn names(objects: &Objects) -> String {
    let names = objects.properties.iter().take(MAX_NAMED).map(|property| &property.name);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
