//! Coerces replies that have the shape of their schema.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, OutcomePart},
    resemblance::shares_key,
    wrap::repaired_part,
};
use crate::repair::catalogue::RepairKind;

/// The key of the members of an object in its schema.
const PROPERTIES: &str = "properties";
/// The keys that the schema of an object has beside it.
const KEYWORDS: [&str; 9] = [
    "type",
    "required",
    "title",
    "description",
    "additionalProperties",
    "$schema",
    "$id",
    "$defs",
    "definitions",
];
/// The issue of a schema in the place of a value.
const TYPES_ALONE: &str =
    "has the shape of the schema, with types in place of values; give the values alone";

impl Coercer<'_> {
    /// Coerces values in the place of the properties of a schema:
    /// `{"type": "object", "properties": {"name": "Ada"}}`.
    pub(super) fn echoed(
        &mut self,
        id: NodeId,
        node: &Node,
        value: &Value,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let members = value.as_object()?;
        let inner = members.get(PROPERTIES).filter(|_| !node.objects.has_property(PROPERTIES))?;
        let values = inner.as_object().filter(|values| shares_key(node, values))?;
        let is_schema = |key: &String| key == PROPERTIES || KEYWORDS.contains(&key.as_str());
        let is_object = members.get("type").is_none_or(|kind| kind == "object");
        if !is_object || !members.keys().all(is_schema) {
            return None;
        }
        if values.iter().any(|(key, value)| is_type(self, node, key, value)) {
            return Some(Rc::new(Outcome::doubt(TYPES_ALONE.to_owned())));
        }
        if members.len() == 1 {
            return None;
        }
        let part = self.coerce(id, inner, lossy);
        let part = OutcomePart::member(PROPERTIES, part);
        Some(Rc::new(repaired_part(Form::Only, part, RepairKind::SchemaShape)))
    }
}

/// Returns whether a value is the schema of a property, and none of its values.
fn is_type(coercer: &Coercer<'_>, node: &Node, key: &str, value: &Value) -> bool {
    let names_type = |value: &Map<String, Value>| {
        let named = |kind: &Value| kind.as_str().map_or(Types::NONE, Types::from_name);
        value.contains_key("$ref")
            || value.get("type").is_some_and(|kind| named(kind) != Types::NONE)
    };
    let Some((_, property)) = node.objects.property(key) else { return false };
    let is_map = coercer.shape.node(property.node).is_some_and(Node::is_map);
    value.as_object().is_some_and(names_type)
        && !is_map
        && !coercer.shape.knows(property.node, "type")
}
