//! Conversion between traces and JSON.

use std::collections::BTreeSet;

use cot_schema::internal::closest_name;
use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::{
    block::{Block, BlockKind, Trace},
    diagnostic::quote_excerpt,
    number::Number,
    position::Position,
    value::{Entry, Expr, Located, MAX_DEPTH, Marks, Object, Value},
};

/// An error of [`Trace::from_json`]: the JSON does not describe a trace.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{path}: {message}")]
pub struct JsonError {
    /// The path of the invalid part, such as `$[2].content`.
    pub path: String,
    /// The description of the error.
    pub message: String,
}

cot_schema::debug_as_sentence!(JsonError);

/// The key of the value in the object form of an expression with marks.
const VALUE: &str = "$value";
/// The key of the text of a number that JSON readers would round.
const NUMBER: &str = "$number";
const ENTRIES: &str = "$entries";
const CONFIDENCE: &str = "confidence";
const REFERENCES: &str = "references";
const TAGS: &str = "tags";
const SATISFIES: &str = "satisfies";

impl Trace {
    /// Converts the trace to JSON: an array with an object for each structure, in order.
    ///
    /// Each has `type`, `content`, and, if present, `tags`, `references`, `satisfies` and `confidence`.
    /// Nested values are plain JSON; one with marks is an object with `$value` and the marks beside it,
    /// and an object with repeated keys is `{"$entries": [["key", value], …]}`. A number that neither
    /// an `f64` nor a 64-bit integer holds exactly is `{"$number": "digits"}`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        self.blocks.iter().map(block_json).collect()
    }

    /// Reads a trace from the JSON that [`to_json`](Self::to_json) writes.
    ///
    /// # Errors
    ///
    /// Returns an error with the path of the first invalid part.
    pub fn from_json(json: &Json) -> Result<Self, JsonError> {
        let blocks =
            json.as_array().ok_or_else(|| error_at_root("is not an array of structures"))?;
        let read = |(i, json)| read_block(json).map_err(|error| error.below(&format!("[{i}]")));
        let blocks: Result<Vec<Block>, JsonError> = blocks.iter().enumerate().map(read).collect();
        Ok(Self { blocks: blocks? })
    }
}

impl Expr {
    /// Converts the value to plain JSON without marks. If a key occurs more than once, its last value
    /// is used.
    #[must_use]
    pub fn to_plain_json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(bool) => Json::Bool(*bool),
            Value::Number(number) => Json::Number(number.into()),
            Value::Text(text) => Json::String(text.clone()),
            Value::Array(items) => items.iter().map(Self::to_plain_json).collect(),
            Value::Object(object) => object
                .entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.expr.to_plain_json()))
                .collect(),
        }
    }

    /// Converts plain JSON to an expression without marks.
    #[must_use]
    pub fn from_plain_json(json: &Json) -> Self {
        let value = match json {
            Json::Null => Value::Null,
            Json::Bool(bool) => Value::Bool(*bool),
            Json::Number(number) => Value::Number(number.into()),
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::Array(items.iter().map(Self::from_plain_json).collect()),
            Json::Object(map) => Value::Object(Object {
                entries: map
                    .iter()
                    .map(|(key, json)| entry(key, Self::from_plain_json(json)))
                    .collect(),
            }),
        };
        Self::at(value, Position::START)
    }
}

fn entry(key: &str, expr: Expr) -> Entry {
    Entry { key: key.to_owned(), position: Position::START, expr }
}

fn block_json(block: &Block) -> Json {
    let mut map = Map::new();
    map.insert("type".to_owned(), block.kind.keyword().into());
    map.insert("content".to_owned(), value_json(&block.content.value));
    add_marks(&mut map, &block.content);
    Json::Object(map)
}

fn expr_json(expr: &Expr) -> Json {
    let value = value_json(&expr.value);
    if expr.marks().is_none_or(|marks| *marks == Marks::default()) {
        return value;
    }
    let mut map = Map::new();
    map.insert(VALUE.to_owned(), value);
    add_marks(&mut map, expr);
    Json::Object(map)
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(bool) => Json::Bool(*bool),
        Value::Number(number) => number_json(number),
        Value::Text(text) => Json::String(text.clone()),
        Value::Array(items) => items.iter().map(expr_json).collect(),
        Value::Object(object) => object_json(object),
    }
}

fn number_json(number: &Number) -> Json {
    match number.exact_text() {
        Some(text) => Map::from_iter([(NUMBER.to_owned(), text.into())]).into(),
        None => Json::Number(number.into()),
    }
}

fn object_json(object: &Object) -> Json {
    let mut keys = BTreeSet::new();
    let mut is_new = |key| ![VALUE, ENTRIES, NUMBER].contains(&key) && keys.insert(key);
    let is_plain = object.entries.iter().all(|entry| is_new(entry.key.as_str()));
    // Each value is converted once, for either form: two conversions would double the time at each
    // level.
    let pairs = object.entries.iter().map(|entry| (entry.key.clone(), expr_json(&entry.expr)));
    if is_plain {
        return Json::Object(pairs.collect());
    }
    let pairs = pairs.map(|(key, json)| Json::Array(vec![Json::String(key), json])).collect();
    Json::Object(Map::from_iter([(ENTRIES.to_owned(), pairs)]))
}

fn add_marks(map: &mut Map<String, Json>, expr: &Expr) {
    let Some(marks) = expr.marks() else { return };
    if let Some(confidence) = &marks.confidence {
        map.insert(CONFIDENCE.to_owned(), number_json(&confidence.value));
    }
    let mut add = |key: &str, names: Vec<Json>| {
        if !names.is_empty() {
            map.insert(key.to_owned(), Json::Array(names));
        }
    };
    add(REFERENCES, marks.references.iter().map(|name| name.value.as_str().into()).collect());
    add(TAGS, marks.tags.iter().map(|name| name.value.as_str().into()).collect());
    add(SATISFIES, marks.satisfies.iter().map(|item| number_json(&item.value)).collect());
}

fn read_block(json: &Json) -> Result<Block, JsonError> {
    let map = json.as_object().ok_or_else(|| error_at_root("is not an object"))?;
    let kind = read_kind(map.get("type")).map_err(|error| error.below(".type"))?;
    let content =
        map.get("content").ok_or_else(|| error_at_root("is missing").below(".content"))?;
    let value = read_value(content, 0).map_err(|error| error.below(".content"))?;
    let is_right = match value {
        Value::Text(_) => kind.is_message(),
        Value::Object(_) => !kind.is_message(),
        _ => false,
    };
    if !is_right {
        let needed = if kind.is_message() { "a text" } else { "an object" };
        return Err(error_at_root(&format!("is {}, not {needed}", value.kind())).below(".content"));
    }
    let mut content = Expr::at(value, Position::START);
    read_marks(map, &mut content, &["type", "content"])?;
    Ok(Block::new(kind, content))
}

fn read_kind(json: Option<&Json>) -> Result<BlockKind, JsonError> {
    let json = json.ok_or_else(|| error_at_root("is missing"))?;
    let keyword = json.as_str().ok_or_else(|| error_at_root("is not a text"))?;
    let kind = BlockKind::ALL.into_iter().find(|kind| kind.keyword() == keyword);
    kind.ok_or_else(|| {
        let known = BlockKind::ALL.map(BlockKind::keyword);
        let known = match closest_name(keyword, known) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("those are `{}`", known.join("`, `")),
        };
        error_at_root(&format!("{} is no structure; {known}", quote_excerpt(keyword)))
    })
}

fn read_expr(json: &Json, depth: usize) -> Result<Expr, JsonError> {
    let marked = json.as_object().and_then(|map| Some((map, map.get(VALUE)?)));
    let Some((map, value)) = marked else {
        return Ok(Expr::at(read_value(json, depth)?, Position::START));
    };
    let value = read_value(value, depth).map_err(|error| error.below("[\"$value\"]"))?;
    let mut expr = Expr::at(value, Position::START);
    read_marks(map, &mut expr, &[VALUE])?;
    Ok(expr)
}

fn read_value(json: &Json, depth: usize) -> Result<Value, JsonError> {
    if depth >= MAX_DEPTH && (json.is_array() || json.is_object()) {
        return Err(error_at_root(&format!("lies deeper than {MAX_DEPTH} levels")));
    }
    Ok(match json {
        Json::Array(items) => {
            let read = |(i, json)| {
                read_expr(json, depth + 1).map_err(|error| error.below(&format!("[{i}]")))
            };
            Value::Array(items.iter().enumerate().map(read).collect::<Result<_, JsonError>>()?)
        }
        Json::Object(map) if map.contains_key(NUMBER) => {
            let number = read_number(json).filter(|_| map.len() == 1);
            let wrong = || error_at_root("is not the text of a number").below("[\"$number\"]");
            Value::Number(number.ok_or_else(wrong)?)
        }
        Json::Object(map) => Value::Object(Object { entries: read_entries(map, depth + 1)? }),
        _ => Expr::from_plain_json(json).value,
    })
}

fn read_number(json: &Json) -> Option<Number> {
    match json {
        Json::Number(number) => Some(number.into()),
        Json::Object(map) => Number::parse(map.get(NUMBER)?.as_str()?),
        _ => None,
    }
}

fn read_entries(map: &Map<String, Json>, depth: usize) -> Result<Vec<Entry>, JsonError> {
    let read = |key: &str, json| {
        let expr = read_expr(json, depth).map_err(|error| error.below(&step(key)))?;
        Ok(entry(key, expr))
    };
    let Some(pairs) = map.get(ENTRIES) else {
        return map.iter().map(|(key, json)| read(key, json)).collect();
    };
    let wrong = || error_at_root("is not an array of pairs").below("[\"$entries\"]");
    let pairs = pairs.as_array().filter(|_| map.len() == 1).ok_or_else(wrong)?;
    let pairs = pairs.iter().map(|pair| match pair.as_array().map(Vec::as_slice) {
        Some([Json::String(key), json]) => read(key, json),
        _ => Err(wrong()),
    });
    pairs.collect()
}

fn read_marks(map: &Map<String, Json>, expr: &mut Expr, known: &[&str]) -> Result<(), JsonError> {
    for (key, json) in map.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
        read_mark(key, json, expr.marks_mut())
            .map_err(|what| error_at_root(what).below(&step(key)))?;
    }
    Ok(())
}

fn read_mark(key: &str, json: &Json, marks: &mut Marks) -> Result<(), &'static str> {
    const NAMES: &str = "is not an array of names, which are texts";
    match key {
        CONFIDENCE => {
            let number = read_number(json).ok_or("is not a number")?;
            marks.confidence = Some(Located::from(number));
        }
        REFERENCES => marks.references = names(json, name).ok_or(NAMES)?,
        TAGS => marks.tags = names(json, name).ok_or(NAMES)?,
        SATISFIES => {
            let items = names(json, |json| Some(Number::from(json.as_u64()?)));
            marks.satisfies = items.ok_or("is not an array of whole numbers")?;
        }
        _ => return Err("is no mark; those are `tags`, `references`, `satisfies`, `confidence`"),
    }
    Ok(())
}

fn name(json: &Json) -> Option<String> {
    json.as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}

fn names<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<Located<T>>> {
    json.as_array()?.iter().map(|json| read(json).map(Located::from)).collect()
}

/// Creates an error at the root. [`JsonError::below`] extends its path.
fn error_at_root(message: &str) -> JsonError {
    JsonError { path: "$".to_owned(), message: message.to_owned() }
}

impl JsonError {
    /// Prepends a step to the path.
    fn below(mut self, step: &str) -> Self {
        self.path.insert_str(1, step);
        self
    }
}

fn step(key: &str) -> String {
    const MAX_BYTES: usize = 100;
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word && key.len() <= MAX_BYTES {
        format!(".{key}")
    } else {
        format!("[{}]", quote_excerpt(key))
    }
}
