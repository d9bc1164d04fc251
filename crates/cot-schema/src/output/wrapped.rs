//! Types that are no objects, as members of one: a reply is always an object.

use fnv::FnvHashMap;
use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use crate::graph::{
    document::{Document, Subschema},
    node::Types,
    place::Place,
};

/// The member that holds the value.
pub(super) const VALUE: &str = "value";

/// Whether every value of a schema is an object.
pub(super) fn is_object(schema: &Value) -> bool {
    let document = Document::new(schema);
    types(document, document.subschema(), &mut FnvHashMap::default()) == Types::OBJECT
}

/// The types of the values of a schema. One that is among its own alternatives has those of the others.
fn types(
    document: Document<'_>,
    schema: Subschema<'_>,
    known: &mut FnvHashMap<*const Value, Types>,
) -> Types {
    if let Some(types) = known.get(&std::ptr::from_ref(schema.schema)) {
        return *types;
    }
    known.insert(schema.schema, Types::NONE);
    let place = Place::new(document, &[schema]);
    let mut found = place.types;
    for branches in place.alternatives.iter().filter(|_| place.types == Types::ALL) {
        let of_branches = branches.iter().map(|branch| types(document, *branch, known));
        found = found.and(of_branches.fold(Types::NONE, Types::or));
    }
    known.insert(schema.schema, found);
    found
}

/// The schema of an object with one value.
pub(super) fn wrap(schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { VALUE: schema },
        "required": [VALUE],
        "additionalProperties": false,
    })
}

/// Whether a schema is of an object with one value.
pub fn is_wrapped(schema: &Value) -> bool {
    let members = schema.get("properties").and_then(Value::as_object);
    members.is_some_and(|members| members.len() == 1 && members.contains_key(VALUE))
}

/// The same schema with what it refers to.
pub(super) fn with_definitions(schema: &Value, definitions: &Map<String, Value>) -> Value {
    let mut schema = schema.clone();
    if let (Value::Object(members), false) = (&mut schema, definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions.clone()));
    }
    schema
}

/// The text of the value in that of an object that fits a wrapped schema.
pub(super) fn text(reply: &str) -> Option<&str> {
    let Wrapped { value } = serde_json::from_str(reply).ok()?;
    Some(value.get())
}

#[derive(Deserialize)]
struct Wrapped<'t> {
    #[serde(borrow)]
    value: &'t RawValue,
}

/// The value of an object that fits a wrapped schema.
pub(super) fn unwrap(mut reply: Value) -> Value {
    reply.get_mut(VALUE).map_or(Value::Null, Value::take)
}

/// What has come of the value of such an object, and how many values in it are not finished. What is no
/// object can only be the value itself.
pub(super) fn unwrap_partial(mut reply: Value, open: usize) -> Option<(Value, usize)> {
    let Value::Object(members) = &mut reply else {
        return Some((reply, open));
    };
    let is_last = members.keys().next_back().is_some_and(|key| key == VALUE);
    let value = members.get_mut(VALUE)?.take();
    Some((value, if is_last { open.saturating_sub(1) } else { 0 }))
}

/// An object that fits a wrapped schema, of its value.
pub fn value(value: Value) -> Value {
    json!({ VALUE: value })
}
