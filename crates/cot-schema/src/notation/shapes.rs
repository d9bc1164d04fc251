//! Objects and lists.

use serde_json::{Map, Value};

use super::{
    layout::{Shown, braces},
    notation::Notation,
    notes::{changes_direction, notes},
};
use crate::dialect::{members::OtherMembers, normal::SchemaMap};

impl Notation<'_> {
    pub(super) fn object(&mut self, node: &SchemaMap) -> Shown {
        let has_comment = !notes(node).is_empty();
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
            return braces(&members, has_comment);
        }
        if members.is_empty() { Shown::new("{}") } else { braces(&members, has_comment) }
    }

    pub(super) fn list(&mut self, node: &SchemaMap) -> Shown {
        let first = match node.get("prefixItems") {
            Some(Value::Array(first)) => first.as_slice(),
            _ => &[],
        };
        let items = node.get("items").filter(|items| **items != false);
        if first.is_empty() {
            return self.item(items).listed();
        }
        let mut list = Shown::new("[");
        for (number, item) in (1..).zip(first) {
            list.push(if number == 1 { "" } else { ", " });
            list.push_item(self.shown(item), &format!("Item {number}"));
        }
        let most = node.get("maxItems").and_then(Value::as_u64);
        let is_open = node.get("items") != Some(&Value::Bool(false))
            && most.is_none_or(|most| most > first.len() as u64);
        if is_open {
            list.push(", ");
            list.push_item(self.item(items), "Each further item");
            list.push(", ...");
        }
        list.push("]");
        list
    }

    fn item(&mut self, items: Option<&Value>) -> Shown {
        items.map_or_else(|| Shown::new("any JSON value"), |items| self.shown(items))
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
