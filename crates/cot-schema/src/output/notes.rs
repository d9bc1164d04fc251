//! Adds the sentences of `#[cot(…)]` attributes to the descriptions in a schema.

use serde_json::{Map, Value};

use crate::type_rules::TypeRules;

/// The nesting depth of the fields of variants in the schema of an enum.
const MAX_DEPTH: usize = 3;

/// Adds the sentences of types and fields to the definitions, and those of the type named `root` to the
/// schema.
pub(super) fn add(
    schema: &mut Value,
    definitions: &mut Map<String, Value>,
    rules: &[TypeRules],
    root: Option<&str>,
) {
    for rules in rules {
        if let Some(definition) = definitions.get_mut(&rules.name) {
            add_to_type(definition, rules);
        }
        if let Some(definition) = schema.pointer_mut(&format!("/$defs/{}", rules.name)) {
            add_to_type(definition, rules);
        }
        if root == Some(rules.name.as_str()) {
            add_to_type(schema, rules);
        }
    }
}

fn add_to_type(schema: &mut Value, rules: &TypeRules) {
    add_notes(schema, &rules.notes);
    add_to_fields(schema, rules, MAX_DEPTH);
}

fn add_to_fields(schema: &mut Value, rules: &TypeRules, depth: usize) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            // The fields of a variant can be in a nested object.
            if depth > 0 && depth < MAX_DEPTH {
                add_to_fields(property, rules, 0);
            }
            for field in rules.fields.iter().filter(|field| field.name == name) {
                add_notes(property, field.notes);
            }
        }
    }
    if depth == 0 {
        return;
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        if let Some(Value::Array(branches)) = schema.get_mut(key) {
            branches.iter_mut().for_each(|branch| add_to_fields(branch, rules, depth - 1));
        }
    }
}

fn add_notes(property: &mut Value, notes: &[&str]) {
    if notes.is_empty() {
        return;
    }
    if property == &Value::Bool(true) {
        *property = Value::Object(Map::new());
    }
    let Value::Object(members) = property else { return };
    let mut text = match members.get("description") {
        Some(Value::String(text)) => text.trim_end().to_owned(),
        _ => String::new(),
    };
    for note in notes.iter().filter(|note| !note.is_empty()) {
        if !text.is_empty() {
            text.push_str(if text.ends_with(['.', '!', '?', ':']) { " " } else { ". " });
        }
        text.push_str(note);
    }
    members.insert("description".to_owned(), Value::String(text));
}
