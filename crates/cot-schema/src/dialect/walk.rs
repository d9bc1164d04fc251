//! Traverses a schema from the root and rewrites it.

use std::{collections::BTreeSet, mem};

use serde_json::{Map, Value, json};

use super::{
    error::DialectError,
    normal::{SchemaMap, Source},
    references::{DEFINITIONS, references},
    rules::{Anything, DialectRules, References},
    sentence::{describe, is_annotation, joined, sentence},
};
use crate::path::{push_index, push_key};

/// Rewrites a schema for a dialect and records the parts that can't be expressed.
pub(super) struct Walker<'a> {
    pub(super) rules: &'static DialectRules,
    pub(super) source: Source<'a>,
    pub(super) problems: Vec<DialectError>,
    path: String,
    /// The number of schemas that may still be visited.
    steps: usize,
    /// The number of schemas around the current one.
    depth: usize,
    /// The number of bytes of definitions that may still be inlined.
    inline_budget: usize,
    /// Whether the schema is a branch of a choice that accepts texts, too.
    pub(super) is_beside_text: bool,
}

/// The names of all JSON types.
pub(super) const ALL_TYPES: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];

/// Maximum number of subschemas: more than any engine accepts.
const MAX_STEPS: usize = 50_000;
/// Maximum nesting depth of schemas.
const MAX_DEPTH: usize = 64;
/// Maximum size of an inlined definition, in bytes.
const MAX_INLINED: usize = 2000;
/// Maximum total size of inlined definitions, in bytes.
const MAX_INLINED_TOTAL: usize = 32_000;

impl<'a> Walker<'a> {
    pub(super) fn new(rules: &'static DialectRules, root: &'a Value) -> Self {
        let source = Source::new(root);
        let path = "$".to_owned();
        Self {
            rules,
            source,
            problems: Vec::new(),
            path,
            steps: MAX_STEPS,
            depth: 0,
            inline_budget: MAX_INLINED_TOTAL,
            is_beside_text: false,
        }
    }

    /// Rewrites the root and all definitions that it references.
    pub(super) fn rewrite(&mut self) -> (Value, SchemaMap) {
        let root = self.schema(self.source.root());
        let mut rewritten = SchemaMap::new();
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

    /// Sorts definitions in the order of their declaration.
    fn in_order(&self, mut definitions: SchemaMap) -> SchemaMap {
        let declared = self.source.root().get("$defs").and_then(Value::as_object);
        let declared = declared.into_iter().flat_map(Map::keys);
        declared.filter_map(|name| definitions.remove_entry(name)).collect()
    }

    /// Calls a function with the path extended by nested keys.
    pub(super) fn below<T>(&mut self, keys: &[&str], visit: impl FnOnce(&mut Self) -> T) -> T {
        self.beside_text(false, |walker| {
            let length = walker.path.len();
            for key in keys {
                push_key(&mut walker.path, key);
            }
            let result = visit(walker);
            walker.path.truncate(length);
            result
        })
    }

    /// Calls a function for the branches of a choice, of which one may accept texts.
    pub(super) fn beside_text<T>(&mut self, is: bool, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = mem::replace(&mut self.is_beside_text, is);
        let result = visit(self);
        self.is_beside_text = outer;
        result
    }

    fn at<T>(&mut self, path: String, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = mem::replace(&mut self.path, path);
        let result = visit(self);
        self.path = outer;
        result
    }

    pub(super) fn item<T>(&mut self, index: usize, visit: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        push_index(&mut self.path, index);
        let result = visit(self);
        self.path.truncate(length);
        result
    }

    pub(super) fn reject(&mut self, reason: String) {
        self.problems.push(DialectError { path: self.path.clone(), reason });
    }

    /// Rewrites a schema.
    pub(super) fn schema(&mut self, schema: &Value) -> Value {
        match self.source.normal(schema) {
            Ok(node) => self.node(node),
            Err(reason) => {
                self.reject(reason);
                Value::Null
            }
        }
    }

    /// Rewrites a schema in normal form.
    pub(super) fn node(&mut self, node: SchemaMap) -> Value {
        self.deeper(|walker| walker.shape(node))
    }

    /// Calls a function one level deeper. Reports a problem instead at the limits on depth and number of
    /// schemas.
    pub(super) fn deeper<T: Default>(&mut self, visit: impl FnOnce(&mut Self) -> T) -> T {
        if self.steps == 0 {
            return T::default();
        }
        self.steps -= 1;
        if self.steps == 0 || self.depth == MAX_DEPTH {
            self.steps = 0;
            self.reject("is too large, or endless".to_owned());
            return T::default();
        }
        self.depth += 1;
        let result = visit(self);
        self.depth -= 1;
        result
    }

    fn shape(&mut self, node: SchemaMap) -> Value {
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

    /// Rewrites a schema without a type. The type is derived from its keywords; without any, all values are
    /// accepted.
    fn untyped(&mut self, mut node: SchemaMap) -> Value {
        let has = |keywords: &[&str]| keywords.iter().any(|keyword| node.contains_key(*keyword));
        let kind = if has(&["properties", "additionalProperties", "patternProperties"]) {
            "object"
        } else if has(&["items", "prefixItems"]) {
            "array"
        } else {
            return self.anything(&node);
        };
        node.insert("type".to_owned(), json!(kind));
        self.node(node)
    }

    /// Rewrites a schema that accepts any value.
    fn anything(&mut self, node: &SchemaMap) -> Value {
        match self.rules.anything {
            Anything::Empty => json!({}),
            Anything::AllTypes => {
                self.finish(node, SchemaMap::from_iter([("type".to_owned(), json!(ALL_TYPES))]))
            }
            Anything::Text => {
                let engine = self.rules.engine;
                self.reject(format!("may be any value, and {engine} has to know its type"));
                json!({})
            }
        }
    }

    /// Rewrites the schema of a scalar.
    fn scalar(&mut self, node: &SchemaMap, kind: &str) -> SchemaMap {
        let mut rewritten = SchemaMap::new();
        rewritten.insert("type".to_owned(), json!(kind));
        self.constrain(node, &mut rewritten, &["type"]);
        rewritten
    }

    /// Copies the constraints that the dialect supports, and moves the others to the description. Keywords
    /// in `done` are skipped.
    pub(super) fn constrain(&self, node: &SchemaMap, rewritten: &mut SchemaMap, done: &[&str]) {
        let kind = rewritten.get("type").and_then(Value::as_str).map(str::to_owned);
        let mut sentences = Vec::new();
        let constraints = node
            .iter()
            .filter(|(keyword, _)| !is_annotation(keyword) && !done.contains(&keyword.as_str()));
        for (keyword, value) in constraints {
            let bound = super::rules::Bound { keyword, value, kind: kind.as_deref() };
            if let Some(value) = self.rules.supported(&bound) {
                rewritten.insert(keyword.clone(), value);
            } else if keyword != "format" || kind.as_deref() == Some("string") {
                sentences.extend(sentence(keyword, value));
            }
        }
        describe(rewritten, &sentences);
    }

    /// Copies the annotations of a schema to its rewritten form.
    fn finish(&self, node: &SchemaMap, mut rewritten: SchemaMap) -> Value {
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

    /// Rewrites a reference, which has only annotations beside it.
    fn reference(&mut self, mut node: SchemaMap) -> Value {
        let reference = node.shift_remove("$ref").unwrap_or_default();
        let name = reference.as_str().and_then(|target| target.strip_prefix(DEFINITIONS));
        let target = name.and_then(|name| Some((name, self.source.definition(name)?)));
        let Some((name, definition)) = target else {
            self.reject(format!("refers to `{reference}`, which is not there"));
            return Value::Null;
        };
        // The definition is rewritten without a look at the choice.
        if let Ok(target) = self.source.normal(definition) {
            self.check_beside_text(&target);
        }
        let alone = SchemaMap::from_iter([("$ref".to_owned(), reference.clone())]);
        let described = self.finish(&node, SchemaMap::new());
        let is_alone = described.as_object().is_some_and(Map::is_empty);
        let inlined = match self.rules.references {
            References::WithAnnotations => false,
            References::Alone => !is_alone,
            References::Inlined => true,
        };
        if inlined && let Some(target) = self.inlined(name, definition) {
            return merged(target, node, |node, target| self.finish(node, target));
        }
        if is_alone || self.rules.references != References::Alone {
            return self.finish(&node, alone);
        }
        self.finish(&node, SchemaMap::from_iter([("anyOf".to_owned(), json!([alone]))]))
    }

    /// Returns the rewritten target of a reference if it is not recursive and short enough to be inlined.
    fn inlined(&mut self, name: &str, definition: &Value) -> Option<SchemaMap> {
        let size = definition.to_string().len();
        if self.source.is_recursive(name) || size > MAX_INLINED.min(self.inline_budget) {
            return None;
        }
        self.inline_budget -= size;
        match self.schema(definition) {
            Value::Object(target) => Some(target),
            _ => None,
        }
    }
}

/// Combines an inlined target with the annotations beside the reference.
fn merged(
    target: SchemaMap,
    mut node: SchemaMap,
    finish: impl Fn(&SchemaMap, SchemaMap) -> Value,
) -> Value {
    // The title of the target is the name of the type.
    if let Some(title) = target.get("title") {
        node.entry("title").or_insert_with(|| title.clone());
    }
    finish(&node, target)
}

/// Returns the JSON path of a definition.
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
