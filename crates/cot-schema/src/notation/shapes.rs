//! Objects and lists.

use serde_json::{Map, Value};

use super::{
    layout::{Shown, braces},
    notation::Notation,
    notes::changes_direction,
};
use crate::dialect::{members::OtherMembers, normal::SchemaMap};

impl Notation<'_> {
    pub(super) fn object(&mut self, node: &SchemaMap) -> Shown {
        let empty = Map::new();
        let named = node.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required: Vec<&str> = match node.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut members: Vec<(String, Shown)> = Vec::new();
        for (name, schema) in named {
            let member = self.shown(schema);
            let is_marked = !required.contains(&name.as_str()) && !member.takes_null();
            let member = if is_marked { member.first_noted("Optional.") } else { member };
            members.push((quoted(name), member));
        }
        let unnamed = required.iter().filter(|name| !named.contains_key(**name));
        members.extend(unnamed.map(|name| (quoted(name), Shown::new("any JSON value"))));
        if let Some(others) = OtherMembers::from_schema(node) {
            let mut values = self.shown(&others.values);
            if let Some(keys) = others.keys {
                values = values.noted(&format!("Each key matches `{keys}`."));
            }
            let name = if members.is_empty() { "<key>" } else { "<other key>" };
            members.push((name.to_owned(), values));
            return braces(&members);
        }
        if members.is_empty() { Shown::new("{}") } else { braces(&members) }
    }

    pub(super) fn list(&mut self, node: &SchemaMap) -> Shown {
        let first = match node.get("prefixItems") {
            Some(Value::Array(first)) => first.as_slice(),
            _ => &[],
        };
        let items = node.get("items").filter(|items| **items != false);
        if first.is_empty() {
            let item =
                items.map_or_else(|| Shown::new("any JSON value"), |items| self.shown(items));
            return item.listed("[", ", ...]");
        }
        let count = node.get("maxItems").and_then(Value::as_u64);
        let is_open = node.get("items") != Some(&Value::Bool(false))
            && count.is_none_or(|count| count > first.len() as u64);
        let mut parts: Vec<String> =
            first.iter().map(|item| self.shown(item).listed("", "").line("", "")).collect();
        if is_open {
            let others =
                items.map_or_else(|| Shown::new("any JSON value"), |items| self.shown(items));
            parts.push(others.listed("", ", ...").line("", ""));
        }
        let has_comments = parts.iter().any(|part| part.contains(" // "));
        let text = if has_comments { parts.join(",\n") } else { parts.join(", ") };
        Shown::new(format!("[{text}]"))
    }
}

/// Returns a name as JSON, in which characters that change the direction of writing are escaped.
fn quoted(name: &str) -> String {
    let mut quoted = String::new();
    for c in Value::from(name).to_string().chars() {
        match changes_direction(c) {
            true => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => quoted.push(c),
        }
    }
    quoted
}
