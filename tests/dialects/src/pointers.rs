//! The schemas inside a schema, each with its JSON pointer.

use serde_json::{Map, Value};

/// Members whose values are schemas by name.
const NAMED: [&str; 3] = ["properties", "$defs", "patternProperties"];
/// Members that are lists of schemas.
const LISTED: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Members that are a schema.
const SINGLE: [&str; 3] = ["items", "additionalProperties", "not"];

/// Shows a schema and all within it.
pub(crate) fn walk<'v>(
    pointer: &str,
    schema: &'v Value,
    see: &mut dyn FnMut(&str, &'v Map<String, Value>),
) {
    let Value::Object(members) = schema else {
        return;
    };
    see(pointer, members);
    for (part, inner) in children(members) {
        walk(&format!("{pointer}{part}"), inner, see);
    }
}

/// The schemas right inside a schema.
pub(crate) fn children(members: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut children = Vec::new();
    for key in NAMED {
        let inner = members.get(key).and_then(Value::as_object);
        let named = inner.into_iter().flatten();
        children.extend(named.map(|(name, schema)| (format!("/{key}/{name}"), schema)));
    }
    for key in LISTED {
        let inner = members.get(key).and_then(Value::as_array);
        let listed = inner.into_iter().flatten().enumerate();
        children.extend(listed.map(|(index, schema)| (format!("/{key}/{index}"), schema)));
    }
    for key in SINGLE {
        let inner = members.get(key).filter(|inner| inner.is_object());
        children.extend(inner.map(|schema| (format!("/{key}"), schema)));
    }
    children
}

/// What a local reference refers to.
pub(crate) fn resolve<'v>(root: &'v Value, reference: &str) -> Option<&'v Value> {
    root.pointer(reference.strip_prefix('#')?)
}

/// Names in a list of strings.
pub(crate) fn names<'v>(members: &'v Map<String, Value>, key: &str) -> Vec<&'v str> {
    let list = members.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}
