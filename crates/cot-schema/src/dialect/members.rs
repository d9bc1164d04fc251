//! The members that an object may have beside the named ones.

use serde_json::{Value, json};

use super::{
    normal::{SchemaMap, Source},
    sentence::is_annotation,
};

/// The members that an object doesn't name.
pub(crate) struct OtherMembers<'v> {
    /// The schema of their values.
    pub(crate) values: Value,
    /// The pattern of all their keys.
    pub(crate) keys: Option<&'v str>,
}

impl<'v> OtherMembers<'v> {
    /// Returns the members that a schema allows beside the named ones.
    ///
    /// `additionalProperties` says so. Without it, an object that names members, by name or by pattern, is meant
    /// to have no others, and one that names none may have any.
    pub(crate) fn from_schema(node: &'v SchemaMap) -> Option<Self> {
        let patterns = node.get("patternProperties").and_then(Value::as_object);
        let patterns = patterns.filter(|patterns| !patterns.is_empty());
        let mut schemas: Vec<Value> =
            patterns.into_iter().flat_map(|patterns| patterns.values().cloned()).collect();
        let mut keys = patterns.filter(|patterns| patterns.len() == 1);
        if let Some(others) = additional(node) {
            schemas.push(others);
            keys = None;
        }
        let keys = keys.and_then(|patterns| patterns.keys().next()).map(String::as_str);
        let names = || node.get("propertyNames")?.get("pattern")?.as_str();
        let values = match schemas.len() {
            0 => return None,
            1 => schemas.remove(0),
            _ => json!({ "anyOf": schemas }),
        };
        Some(Self { values, keys: keys.or_else(names) })
    }

    /// Returns whether the members may have any value.
    pub(super) fn are_anything(&self, source: &Source<'_>) -> bool {
        is_anything(&self.values, source)
    }
}

/// Returns whether a schema has no constraints.
pub(super) fn is_anything(schema: &Value, source: &Source<'_>) -> bool {
    source.normal(schema).is_ok_and(|node| node.keys().all(|keyword| is_annotation(keyword)))
}

/// Returns the schema of the members that match neither a name nor a pattern, or `None` if there are none.
fn additional(node: &SchemaMap) -> Option<Value> {
    let said = ["additionalProperties", "unevaluatedProperties"];
    if let Some(others) = said.iter().find_map(|keyword| node.get(*keyword)) {
        return (*others != false).then(|| others.clone());
    }
    let count = |keyword| node.get(keyword).and_then(Value::as_object).map(|named| named.len());
    let least = node.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
    let is_closed = match (count("properties"), count("patternProperties")) {
        (_, Some(1..)) => true,
        (Some(named), _) => least <= named as u64,
        (None, _) => false,
    };
    (!is_closed).then_some(Value::Bool(true))
}
