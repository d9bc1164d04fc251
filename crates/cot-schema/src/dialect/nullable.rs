//! Adds null to schemas and removes it.

use serde_json::{Map, Value, json};

/// Returns a schema that also accepts null.
pub(super) fn nullable(mut schema: Value) -> Value {
    if takes_null(&schema) {
        return schema;
    }
    let Value::Object(members) = &mut schema else {
        return schema;
    };
    if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
        branches.push(null_schema());
        return schema;
    }
    let mut outer = Map::new();
    // The annotations apply to both branches.
    for keyword in ["title", "description"] {
        if let Some(text) = members.shift_remove(keyword) {
            outer.insert(keyword.to_owned(), text);
        }
    }
    let inner = std::mem::take(members);
    outer.insert("anyOf".to_owned(), json!([inner, null_schema()]));
    Value::Object(outer)
}

/// Returns a schema that doesn't accept null, unless null is the only value.
pub(super) fn never_null(mut schema: Value) -> Value {
    let Some(Value::Array(branches)) = schema.get_mut("anyOf") else {
        return schema;
    };
    branches.retain(|branch| branch["type"] != "null");
    if branches.len() != 1 {
        return schema;
    }
    let only = branches.remove(0);
    let (Value::Object(mut outer), Value::Object(inner)) = (schema, only) else {
        return json!({});
    };
    outer.shift_remove("anyOf");
    if inner.contains_key("$ref") && !outer.is_empty() {
        outer.insert("anyOf".to_owned(), json!([inner]));
        return Value::Object(outer);
    }
    for (keyword, value) in inner {
        outer.entry(keyword).or_insert(value);
    }
    Value::Object(outer)
}

pub(super) fn null_schema() -> Value {
    json!({ "type": "null" })
}

fn takes_null(schema: &Value) -> bool {
    if schema.as_object().is_some_and(Map::is_empty) {
        return true;
    }
    let is_null = |kind: &Value| *kind == "null";
    schema.get("type").is_some_and(|kind| {
        is_null(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_null))
    }) || schema
        .get("anyOf")
        .and_then(Value::as_array)
        .is_some_and(|branches| branches.iter().any(takes_null))
}
