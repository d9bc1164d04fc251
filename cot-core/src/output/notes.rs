//! What `#[cot(…)]` says in words, as part of the descriptions in a schema.

use serde_json::{Map, Value};

use super::TypeRules;

/// Adds the notes of all types to a schema: to its definitions, and to its root if that is the type
/// `root`.
pub(super) fn add(schema: &mut Value, root: Option<&str>, types: &[TypeRules]) {
    for rules in types {
        if root == Some(rules.name.as_str()) {
            add_to_type(schema, rules);
        }
        if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
            add_to_definition(definitions, rules);
        }
    }
}

/// Adds the notes of a type to its definition.
pub(super) fn add_to_definition(definitions: &mut Map<String, Value>, rules: &TypeRules) {
    if let Some(definition) = definitions.get_mut(&rules.name) {
        add_to_type(definition, rules);
    }
}

fn add_to_type(schema: &mut Value, rules: &TypeRules) {
    describe(schema, &rules.notes);
    add_to_members(schema, rules, true);
}

/// Adds notes to the members of a schema and of its branches; of a branch, to those of the object in
/// it too, as a variant is often one.
fn add_to_members(schema: &mut Value, rules: &TypeRules, is_outer: bool) {
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for rule in &rules.fields {
            if let Some(member) = members.get_mut(rule.name) {
                describe(member, rule.notes);
            }
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let branches = schema.get_mut(key).and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten() {
            add_to_members(branch, rules, is_outer);
            if is_outer {
                add_to_contents(branch, rules);
            }
        }
    }
}

fn add_to_contents(branch: &mut Value, rules: &TypeRules) {
    let members = branch.get_mut("properties").and_then(Value::as_object_mut);
    for (_, content) in members.into_iter().flatten() {
        add_to_members(content, rules, false);
    }
}

fn describe(schema: &mut Value, notes: &[&str]) {
    let Value::Object(members) = schema else { return };
    if notes.is_empty() {
        return;
    }
    let said = members.get("description").and_then(Value::as_str);
    let said: Vec<&str> = said.into_iter().chain(notes.iter().copied()).collect();
    members.insert("description".to_owned(), Value::String(said.join("\n")));
}
