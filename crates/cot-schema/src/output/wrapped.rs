//! Wraps values that are not objects into an object with one member: a reply is always an object.

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use crate::graph::{accepted::accepted_types, document::Document, node::Types};

/// The name of the member that holds the value.
pub(super) const VALUE: &str = "value";

/// Returns whether every value of a schema is an object.
pub(super) fn is_object(schema: &Value) -> bool {
    let document = Document::new(schema);
    accepted_types(document, document.subschema()) == Types::OBJECT
}

/// Wraps a schema: returns the schema of an object with the member `value`.
pub(super) fn wrap(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { VALUE: schema },
        "required": [VALUE],
        "additionalProperties": false,
    })
}

/// Returns whether a schema has the form of a wrapped one.
pub fn is_wrapped(schema: &Value) -> bool {
    let members = schema.get("properties").and_then(Value::as_object);
    members.is_some_and(|members| members.len() == 1 && members.contains_key(VALUE))
}

/// Adds definitions to a copy of the schema.
pub(super) fn with_definitions(schema: &Value, definitions: &Map<String, Value>) -> Value {
    let mut schema = schema.clone();
    if let (Value::Object(members), false) = (&mut schema, definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions.clone()));
    }
    schema
}

/// Returns the JSON text of the value in a wrapped reply.
pub(super) fn text(reply: &str) -> Option<&str> {
    let Wrapped { value } = serde_json::from_str(reply).ok()?;
    Some(value.get())
}

#[derive(Deserialize)]
struct Wrapped<'t> {
    #[serde(borrow)]
    value: &'t RawValue,
}

/// Returns the value in a wrapped reply.
pub(super) fn unwrap(mut reply: Value) -> Value {
    reply.get_mut(VALUE).map_or(Value::Null, Value::take)
}

/// Returns the value in an incomplete wrapped reply, and the number of unfinished values in it. A reply that
/// is not an object is taken for the value itself.
pub(super) fn unwrap_partial(mut reply: Value, open: usize) -> Option<(Value, usize)> {
    let Value::Object(members) = &mut reply else {
        return Some((reply, open));
    };
    let is_last = members.keys().next_back().is_some_and(|key| key == VALUE);
    let value = members.get_mut(VALUE)?.take();
    Some((value, if is_last { open.saturating_sub(1) } else { 0 }))
}

/// Wraps a value into an object.
pub fn value(value: Value) -> Value {
    json!({ VALUE: value })
}
