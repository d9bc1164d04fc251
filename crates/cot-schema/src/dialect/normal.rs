//! One schema in normal form: with one keyword that says what kind of schema it is.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    merge::{merge, multiply},
    say::is_annotation,
};

/// A schema and what it refers to.
#[derive(Debug)]
pub(super) struct Source<'a> {
    root: &'a Value,
    /// The definitions that are inside themselves.
    recursive: BTreeSet<&'a str>,
}

/// Most references that are followed from one to the next.
const MAX_HOPS: usize = 16;
pub(super) const DEFINITIONS: &str = "#/$defs/";

type Node = Map<String, Value>;

impl<'a> Source<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, recursive: recursive(root) }
    }

    pub(super) fn root(&self) -> &'a Value {
        self.root
    }

    /// The definition of a name.
    pub(super) fn definition(&self, name: &str) -> Option<&'a Value> {
        self.root.get("$defs")?.get(name)
    }

    /// Whether a definition is inside itself.
    pub(super) fn is_recursive(&self, name: &str) -> bool {
        self.recursive.contains(name)
    }

    /// A schema in normal form. Beside its annotations it has a `$ref` alone, or an `anyOf` alone, or
    /// neither, and never `oneOf` and `allOf`. Or why it has none, in words.
    pub(super) fn normal(&self, schema: &Value) -> Result<Node, String> {
        let mut node = plain(schema)?;
        lift_only_member(&mut node);
        if node.contains_key("allOf") || (node.contains_key("$ref") && has_others(&node, "$ref")) {
            node = self.flat(&Value::Object(node), MAX_HOPS)?;
        }
        if node.contains_key("anyOf") && has_others(&node, "anyOf") {
            node = self.distributed(node)?;
        }
        Ok(node)
    }

    /// A schema without references and `allOf` at its top.
    fn flat(&self, schema: &Value, hops: usize) -> Result<Node, String> {
        if hops == 0 {
            return Err("refers to itself, and to nothing else".to_owned());
        }
        let mut node = plain(schema)?;
        let members = node.shift_remove("allOf");
        if let Some(Value::String(reference)) = node.shift_remove("$ref") {
            let target = reference.strip_prefix(DEFINITIONS).and_then(|name| self.definition(name));
            let target =
                target.ok_or_else(|| format!("refers to `{reference}`, which is not there"))?;
            merge(&mut node, self.flat(target, hops - 1)?);
        }
        for member in members.iter().flat_map(|members| members.as_array().into_iter().flatten()) {
            merge(&mut node, self.flat(member, hops - 1)?);
        }
        Ok(node)
    }

    /// With what stands beside a choice in each of its branches.
    fn distributed(&self, mut node: Node) -> Result<Node, String> {
        let branches = node.shift_remove("anyOf").unwrap_or_default();
        let (annotations, beside): (Node, Node) =
            node.into_iter().partition(|(keyword, _)| is_annotation(keyword));
        let mut distributed = Vec::new();
        for branch in branches.as_array().into_iter().flatten() {
            let mut one = beside.clone();
            merge(&mut one, self.flat(branch, MAX_HOPS)?);
            distributed.push(Value::Object(one));
        }
        let mut node = annotations;
        node.insert("anyOf".to_owned(), Value::Array(distributed));
        Ok(node)
    }
}

/// The members of a schema, a choice of any kind as `anyOf`.
fn plain(schema: &Value) -> Result<Node, String> {
    let mut node = match schema {
        Value::Bool(true) => Node::new(),
        Value::Object(node) => node.clone(),
        _ => return Err("takes no value at all".to_owned()),
    };
    if let Some(one_of) = node.shift_remove("oneOf") {
        match node.get_mut("anyOf") {
            Some(any_of) => multiply(any_of, one_of),
            None => {
                node.insert("anyOf".to_owned(), one_of);
            }
        }
    }
    if let Some(value) = node.shift_remove("const") {
        node.insert("enum".to_owned(), json!([value]));
    }
    Ok(node)
}

/// `allOf` with one member that is a reference is written for the sake of what stands beside it.
fn lift_only_member(node: &mut Node) {
    let only = match node.get("allOf") {
        Some(Value::Array(members)) if members.len() == 1 && !has_others(node, "allOf") => members
            [0]
        .get("$ref")
        .filter(|_| members[0].as_object().is_some_and(|one| one.len() == 1)),
        _ => None,
    };
    if let Some(reference) = only.cloned() {
        node.shift_remove("allOf");
        node.insert("$ref".to_owned(), reference);
    }
}

fn has_others(node: &Node, keyword: &str) -> bool {
    node.keys().any(|other| other != keyword && !is_annotation(other))
}

/// The definitions that are inside themselves.
fn recursive(root: &Value) -> BTreeSet<&str> {
    let Some(Value::Object(definitions)) = root.get("$defs") else {
        return BTreeSet::new();
    };
    let targets = |name: &str| {
        let mut found = BTreeSet::new();
        if let Some(definition) = definitions.get(name) {
            references(definition, &mut found);
        }
        found
    };
    let is_recursive = |name: &&str| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&str> = targets(name).into_iter().collect();
        while let Some(next) = open.pop() {
            if next == *name {
                return true;
            }
            if seen.insert(next) {
                open.extend(targets(next));
            }
        }
        false
    };
    definitions.keys().map(String::as_str).filter(is_recursive).collect()
}

/// Collects the names of the definitions that a schema refers to.
pub(super) fn references<'v>(schema: &'v Value, found: &mut BTreeSet<&'v str>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                match value {
                    Value::String(target) if keyword == "$ref" => {
                        found.extend(target.strip_prefix(DEFINITIONS));
                    }
                    value => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
