//! Rewrites the root of a schema.

use serde_json::{Map, Value, json};

use super::{
    normal::SchemaMap,
    references::{DEFINITIONS, definition_name},
    rules::Root,
};

/// The member that wraps a reply whose schema is not an object with properties.
pub(super) const REPLY: &str = "reply";

/// Moves a root that is referenced by `#` to a definition, since the root may be wrapped. Returns `None` if
/// there is no such reference.
pub(super) fn move_referenced_root(schema: &Value) -> Option<Value> {
    let mut schema = schema.clone();
    let definitions = schema.get("$defs").and_then(Value::as_object);
    let name = schema.get("title").and_then(Value::as_str).unwrap_or("Root").to_owned();
    let is_free = |name: &String| definitions.is_none_or(|all| !all.contains_key(name));
    let names = std::iter::successors(Some(name), |name| Some(format!("{name}_")));
    let name = names.take(100).find(is_free)?;
    if !replace(&mut schema, &format!("{DEFINITIONS}{name}")) {
        return None;
    }
    let members = schema.as_object_mut()?;
    let mut definitions = match members.shift_remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    definitions.insert(name.clone(), schema);
    Some(json!({ "$ref": format!("{DEFINITIONS}{name}"), "$defs": definitions }))
}

/// Replaces references to the root. Returns whether there were any.
fn replace(schema: &mut Value, reference: &str) -> bool {
    match schema {
        Value::Object(members) => members.iter_mut().fold(false, |found, (keyword, value)| {
            let is_root = keyword == "$ref" && *value == "#";
            if is_root {
                *value = json!(reference);
            }
            is_root | replace(value, reference) | found
        }),
        Value::Array(items) => {
            items.iter_mut().fold(false, |found, item| replace(item, reference) | found)
        }
        _ => false,
    }
}

/// Assembles the rewritten schema from its root and its definitions. Wraps the root if the dialect requires
/// it.
pub(super) fn assemble(root: Value, definitions: SchemaMap, shape: Root) -> Value {
    let mut members = match resolve_root(root, &definitions) {
        Value::Object(members) => members,
        _ => SchemaMap::new(),
    };
    let is_object = members.contains_key("properties") && !members.contains_key("anyOf");
    if shape == Root::Object && !is_object {
        members = wrapped(REPLY, Value::Object(members));
    }
    if !definitions.is_empty() {
        members.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Value::Object(members)
}

/// Replaces a root that is a reference by its target.
fn resolve_root(root: Value, definitions: &SchemaMap) -> Value {
    let target = definition_name(&root).and_then(|name| definitions.get(name));
    target.cloned().unwrap_or(root)
}

/// Returns the schema of an object with a single member.
pub(super) fn wrapped(name: &str, schema: Value) -> SchemaMap {
    let members = Map::from_iter([(name.to_owned(), schema)]);
    let mut wrapped = SchemaMap::new();
    wrapped.insert("type".to_owned(), json!("object"));
    wrapped.insert("properties".to_owned(), Value::Object(members));
    wrapped.insert("required".to_owned(), json!([name]));
    wrapped.insert("additionalProperties".to_owned(), json!(false));
    wrapped
}
