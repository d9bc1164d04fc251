//! Writes a schema as a type.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    layout::{Shown, one_of, options},
    notes::notes,
};
use crate::dialect::{
    normal::{SchemaMap, Source},
    sentence::is_annotation,
    union::concerns,
};

/// The nesting depth below which types are not shown.
const MAX_DEPTH: usize = 32;
/// The number of types that are shown. A recursive type with a rule beside each reference has no name, and its levels
/// multiply.
const MAX_TYPES: usize = 2_000;
/// The length of the schema of a type up to which it is repeated where it occurs again.
const MAX_REPEATED: usize = 80;

/// Writes a schema as a type: what a model has to give, in the form of the JSON that it writes.
///
/// Members have their order, and optional ones are marked. Descriptions and rules stand in comments. A type that
/// is recursive or occurs several times is written once, before the others, and has a name.
///
/// What a reply can violate is written, but for these: rules of more than 200 bytes, of which only the keyword is
/// named; that an unsigned number is at least 0; options after the first 200; several patterns of keys; and types after the first 2,000 or deeper than 32
/// levels. That an object has no other members than those that are written goes without saying.
pub fn notation(schema: &Value) -> String {
    let mut notation = Notation::new(schema);
    let root = notation.shown(schema).line("", "");
    let mut lines = String::new();
    let mut next = 0;
    while let Some(reference) = notation.named.get(next).cloned() {
        let shown = match notation.source.target(&reference) {
            Some(target) => notation.shown(target),
            None => Shown::new("nothing").noted("The schema says no more about it."),
        };
        lines.push_str(&shown.line(&format!("{} = ", name(&reference)), ""));
        lines.push_str("\n\n");
        next += 1;
    }
    lines.push_str(&root);
    lines
}

/// The types of a schema, as far as they are written.
pub(super) struct Notation<'s> {
    pub(super) source: Source<'s>,
    /// How often each type is referred to.
    uses: BTreeMap<String, usize>,
    /// The references to types with a name.
    named: Vec<String>,
    depth: usize,
    /// The number of types so far.
    written: usize,
}

impl<'s> Notation<'s> {
    fn new(root: &'s Value) -> Self {
        let mut uses = BTreeMap::new();
        count(root, &mut uses);
        Self { source: Source::new(root), uses, named: Vec::new(), depth: 0, written: 0 }
    }

    /// Returns a schema as a type.
    pub(super) fn shown(&mut self, schema: &Value) -> Shown {
        if self.depth == MAX_DEPTH || self.written == MAX_TYPES {
            return Shown::new("any JSON value").noted("What it contains is not shown.");
        }
        self.depth += 1;
        self.written += 1;
        let shown = match self.source.normal(schema) {
            Ok(node) => self.node(&node),
            Err(reason) => Shown::new("nothing").noted(&format!("The schema {reason}.")),
        };
        self.depth -= 1;
        shown
    }

    fn node(&mut self, node: &SchemaMap) -> Shown {
        let shown = if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            self.reference(reference)
        } else if let Some(Value::Array(branches)) = node.get("anyOf") {
            one_of(branches.iter().map(|branch| self.shown(branch)).collect())
        } else if let Some(Value::Array(values)) = node.get("enum") {
            options(values)
        } else {
            self.types(node)
        };
        shown.all_noted(notes(node))
    }

    /// Returns a type by its name, or the type itself if it is short or occurs here alone.
    fn reference(&mut self, reference: &str) -> Shown {
        let name = name(reference);
        let is_recursive = self.source.is_recursive(name) || reference == "#";
        let is_alone = self.uses.get(reference).is_none_or(|uses| *uses == 1);
        if let Some(target) = self.source.target(reference)
            && !is_recursive
            && (is_alone || is_short(target))
        {
            return self.shown(target);
        }
        if !self.named.iter().any(|named| named == reference) {
            self.named.push(reference.to_owned());
        }
        Shown::new(name)
    }

    /// Returns what a node without choices accepts.
    fn types(&mut self, node: &SchemaMap) -> Shown {
        match node.get("type") {
            Some(Value::String(kind)) => self.kind(kind, node),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                one_of(kinds.map(|kind| self.one_kind(kind, node)).collect())
            }
            _ if node.contains_key("properties") => self.kind("object", node),
            _ if node.contains_key("items") || node.contains_key("prefixItems") => {
                self.kind("array", node)
            }
            _ => Shown::new("any JSON value"),
        }
    }

    fn one_kind(&mut self, kind: &str, node: &SchemaMap) -> Shown {
        let own = node.iter().filter(|(keyword, _)| {
            !is_annotation(keyword) && *keyword != "type" && concerns(keyword, kind)
        });
        let own: Map<_, _> = own.map(|(keyword, value)| (keyword.clone(), value.clone())).collect();
        self.kind(kind, &own)
    }

    fn kind(&mut self, kind: &str, node: &SchemaMap) -> Shown {
        match kind {
            "object" => self.object(node),
            "array" => self.list(node),
            "boolean" => Shown::new("true or false"),
            kind => Shown::new(kind),
        }
    }
}

fn name(reference: &str) -> &str {
    if reference == "#" { "Root" } else { reference.rsplit('/').next().unwrap_or(reference) }
}

/// Returns whether a type may be repeated. It refers to no other, so that no text is repeated at each level.
fn is_short(schema: &Value) -> bool {
    let text = schema.to_string();
    text.len() <= MAX_REPEATED && !text.contains("\"$ref\"")
}

/// Counts the references to each definition.
fn count(schema: &Value, uses: &mut BTreeMap<String, usize>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                *uses.entry(reference.clone()).or_default() += 1;
            }
            members.values().for_each(|value| count(value, uses));
        }
        Value::Array(items) => items.iter().for_each(|item| count(item, uses)),
        _ => {}
    }
}
