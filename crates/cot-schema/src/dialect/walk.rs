//! Rewrites a schema, from the root inwards.

use std::{collections::BTreeSet, mem};

use serde_json::{Map, Value, json};

use super::{
    error::Inexpressible,
    normal::Source,
    references::{DEFINITIONS, references},
    rules::{References, Rules},
    say::{describe, is_annotation, joined, sentence},
};
use crate::path::{push_index, push_key};

pub(super) type Node = Map<String, Value>;

/// Rewrites one schema.
pub(super) struct Walker<'a> {
    pub(super) rules: &'static Rules,
    pub(super) source: Source<'a>,
    pub(super) problems: Vec<Inexpressible>,
    path: String,
    /// How many schemas may still be looked at.
    steps: usize,
    /// In how many schemas the walker is.
    depth: usize,
    /// How many bytes of definitions may still be written in place of a reference.
    room: usize,
}

/// Most schemas within a schema: beyond all limits that any engine has.
const MAX_STEPS: usize = 50_000;
/// Most schemas one within the other.
const MAX_DEPTH: usize = 64;
/// Longest definition that is written in place of a reference, in bytes.
const MAX_INLINED: usize = 2000;
/// How much of them is, before references are kept.
const MAX_ROOM: usize = 32_000;

impl<'a> Walker<'a> {
    pub(super) fn new(rules: &'static Rules, root: &'a Value) -> Self {
        let source = Source::new(root);
        let path = "$".to_owned();
        Self {
            rules,
            source,
            problems: Vec::new(),
            path,
            steps: MAX_STEPS,
            depth: 0,
            room: MAX_ROOM,
        }
    }

    /// The root, and the definitions that it needs.
    pub(super) fn rewrite(&mut self) -> (Value, Node) {
        let root = self.schema(self.source.root());
        let mut rewritten = Node::new();
        let mut open = names(&root);
        while let Some(name) = open.pop() {
            if rewritten.contains_key(&name) {
                continue;
            }
            let definition = self.source.definition(&name);
            let definition = self.at(definition_path(&name), |walker| {
                definition.map_or(Value::Null, |definition| walker.schema(definition))
            });
            open.extend(names(&definition));
            rewritten.insert(name, definition);
        }
        (root, self.in_order(rewritten))
    }

    /// In the order in which they were declared.
    fn in_order(&self, mut definitions: Node) -> Node {
        let declared = self.source.root().get("$defs").and_then(Value::as_object);
        let declared = declared.into_iter().flat_map(Map::keys);
        declared.filter_map(|name| definitions.remove_entry(name)).collect()
    }

    /// Goes into members of the schema, one in the other.
    pub(super) fn below<T>(&mut self, keys: &[&str], go_on: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        for key in keys {
            push_key(&mut self.path, key);
        }
        let result = go_on(self);
        self.path.truncate(length);
        result
    }

    fn at<T>(&mut self, path: String, go_on: impl FnOnce(&mut Self) -> T) -> T {
        let outer = mem::replace(&mut self.path, path);
        let result = go_on(self);
        self.path = outer;
        result
    }

    pub(super) fn item<T>(&mut self, index: usize, go_on: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        push_index(&mut self.path, index);
        let result = go_on(self);
        self.path.truncate(length);
        result
    }

    pub(super) fn refuse(&mut self, reason: String) {
        self.problems.push(Inexpressible { path: self.path.clone(), reason });
    }

    /// A schema, rewritten.
    pub(super) fn schema(&mut self, schema: &Value) -> Value {
        match self.source.normal(schema) {
            Ok(node) => self.node(node),
            Err(reason) => {
                self.refuse(reason);
                Value::Null
            }
        }
    }

    /// A schema in normal form, rewritten.
    pub(super) fn node(&mut self, node: Node) -> Value {
        self.deeper(|walker| walker.shape(node))
    }

    /// Goes into a schema, unless there are too many.
    pub(super) fn deeper<T: Default>(&mut self, go_on: impl FnOnce(&mut Self) -> T) -> T {
        if self.steps == 0 {
            return T::default();
        }
        self.steps -= 1;
        if self.steps == 0 || self.depth == MAX_DEPTH {
            self.steps = 0;
            self.refuse("is too large, or endless".to_owned());
            return T::default();
        }
        self.depth += 1;
        let result = go_on(self);
        self.depth -= 1;
        result
    }

    fn shape(&mut self, node: Node) -> Value {
        let rewritten = if node.contains_key("$ref") {
            return self.reference(node);
        } else if node.contains_key("anyOf") {
            self.union(&node)
        } else if node.contains_key("enum") {
            self.values(&node)
        } else {
            match node.get("type") {
                Some(Value::Array(types)) => self.types(&node, types),
                Some(Value::String(kind)) if kind == "object" => self.object(&node),
                Some(Value::String(kind)) if kind == "array" => self.array(&node),
                Some(Value::String(kind)) => self.scalar(&node, kind),
                _ => return self.untyped(node),
            }
        };
        self.finish(&node, rewritten)
    }

    /// A schema without a type: it tells its type by its keywords, or takes anything.
    fn untyped(&mut self, mut node: Node) -> Value {
        let has = |keywords: &[&str]| keywords.iter().any(|keyword| node.contains_key(*keyword));
        let kind = if has(&["properties", "additionalProperties", "patternProperties"]) {
            "object"
        } else if has(&["items", "prefixItems"]) {
            "array"
        } else {
            if !self.rules.takes_anything {
                let taker = self.rules.taker;
                self.refuse(format!("may be any value, and {taker} has to know its type"));
            }
            return json!({});
        };
        node.insert("type".to_owned(), json!(kind));
        self.node(node)
    }

    /// What a scalar is constrained to, or told to be.
    fn scalar(&mut self, node: &Node, kind: &str) -> Node {
        let mut rewritten = Node::new();
        rewritten.insert("type".to_owned(), json!(kind));
        self.constrain(node, &mut rewritten, &["type"]);
        rewritten
    }

    /// Takes over what a node constrains, as far as the dialect takes it; the rest is said.
    pub(super) fn constrain(&self, node: &Node, rewritten: &mut Node, done: &[&str]) {
        let kind = rewritten.get("type").and_then(Value::as_str).map(str::to_owned);
        let mut sentences = Vec::new();
        let constraints = node
            .iter()
            .filter(|(keyword, _)| !is_annotation(keyword) && !done.contains(&keyword.as_str()));
        for (keyword, value) in constraints {
            let bound = super::rules::Bound { keyword, value, kind: kind.as_deref() };
            if self.rules.takes(&bound) {
                rewritten.insert(keyword.clone(), value.clone());
            } else if keyword != "format" || kind.as_deref() == Some("string") {
                sentences.extend(sentence(keyword, value));
            }
        }
        describe(rewritten, &sentences);
    }

    /// Adds what is said about the schema to what came of it.
    fn finish(&self, node: &Node, mut rewritten: Node) -> Value {
        let mut sentences = Vec::new();
        for (keyword, value) in node.iter().filter(|(keyword, _)| is_annotation(keyword)) {
            match keyword.as_str() {
                "title" | "description" => {}
                "default" if self.rules.keywords.contains(&"default") => {
                    rewritten.insert(keyword.clone(), value.clone());
                }
                _ => sentences.extend(sentence(keyword, value)),
            }
        }
        let own = node.get("description").and_then(Value::as_str).unwrap_or_default();
        let found = rewritten.shift_remove("description");
        let found = found.as_ref().and_then(Value::as_str).unwrap_or_default();
        let text = [own, found].into_iter().filter(|text| !text.is_empty());
        let text = text.fold(String::new(), |text, next| joined(&text, next));
        if !text.is_empty() {
            rewritten.shift_insert(0, "description".to_owned(), Value::String(text));
        }
        describe(&mut rewritten, &sentences);
        if let Some(title) = node.get("title") {
            rewritten.shift_insert(0, "title".to_owned(), title.clone());
        }
        Value::Object(rewritten)
    }

    /// A reference, with nothing but annotations beside it.
    fn reference(&mut self, mut node: Node) -> Value {
        let reference = node.shift_remove("$ref").unwrap_or_default();
        let name = reference.as_str().and_then(|target| target.strip_prefix(DEFINITIONS));
        let target = name.and_then(|name| Some((name, self.source.definition(name)?)));
        let Some((name, definition)) = target else {
            self.refuse(format!("refers to `{reference}`, which is not there"));
            return Value::Null;
        };
        let alone = Node::from_iter([("$ref".to_owned(), reference.clone())]);
        let described = self.finish(&node, Node::new());
        let is_alone = described.as_object().is_some_and(Map::is_empty);
        let in_place = match self.rules.references {
            References::Described => false,
            References::Alone => !is_alone,
            References::InPlace => true,
        };
        if in_place && let Some(target) = self.in_place(name, definition) {
            return merged(target, node, |node, target| self.finish(node, target));
        }
        if is_alone || self.rules.references != References::Alone {
            return self.finish(&node, alone);
        }
        self.finish(&node, Node::from_iter([("anyOf".to_owned(), json!([alone]))]))
    }

    /// What a reference refers to, where it is short enough to stand in its place.
    fn in_place(&mut self, name: &str, definition: &Value) -> Option<Node> {
        let size = definition.to_string().len();
        if self.source.is_recursive(name) || size > MAX_INLINED.min(self.room) {
            return None;
        }
        self.room -= size;
        match self.schema(definition) {
            Value::Object(target) => Some(target),
            _ => None,
        }
    }
}

/// What is said beside a reference, and what it refers to.
fn merged(target: Node, mut node: Node, finish: impl Fn(&Node, Node) -> Value) -> Value {
    // The name of the type is not that of the place.
    if let Some(title) = target.get("title") {
        node.entry("title").or_insert_with(|| title.clone());
    }
    finish(&node, target)
}

/// The path of a definition.
pub(super) fn definition_path(name: &str) -> String {
    let mut path = "$.$defs".to_owned();
    push_key(&mut path, name);
    path
}

fn names(schema: &Value) -> Vec<String> {
    let mut found = BTreeSet::new();
    references(schema, &mut found);
    found.into_iter().map(str::to_owned).collect()
}
