//! Schemas of answers.

use std::collections::{BTreeMap, BTreeSet};

use cot_schema::OutputSchema;
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Everything {
    name: String,
    #[schemars(length(min = 2, max = 20))]
    short: String,
    #[schemars(regex(pattern = "^[a-z]{2,5}$"))]
    code: String,
    note: Option<String>,
    count: u32,
    ratio: f64,
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    is_good: bool,
    maybe: Option<bool>,
    color: Color,
    other_color: Option<Color>,
    tags: Vec<String>,
    numbers: Option<Vec<i64>>,
    address: Address,
    second_address: Option<Address>,
    people: Vec<Address>,
    shape: Shape,
    event: Event,
    number_or_text: NumberOrText,
    scores: BTreeMap<String, u32>,
    by_number: BTreeMap<u32, Color>,
    colors: BTreeSet<Color>,
    pair: (i32, String),
    anything: Value,
    tree: Tree,
    #[serde(default)]
    kept: bool,
}

/// A color.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Color {
    /// Like blood.
    Red,
    /// Like grass.
    DarkGreen,
    Blue,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Address {
    street: String,
    zip: Option<u32>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
enum Shape {
    Point,
    Circle { radius: f64 },
    Line(f64, f64),
    Named(String),
}

#[derive(JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Event {
    Call { number: String },
    Letter { to: Address, pages: Vec<String> },
    Nothing,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum NumberOrText {
    Number(i64),
    Text(String),
    Both { number: i64, text: String },
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Tree {
    value: i32,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

/// Schemas of derived types, and others.
pub(super) fn schemas() -> Vec<Value> {
    let derived = |schema: &OutputSchema| schema.json().clone();
    vec![
        derived(&OutputSchema::for_type::<Everything>()),
        derived(&OutputSchema::for_type::<Color>()),
        derived(&OutputSchema::for_type::<Shape>()),
        derived(&OutputSchema::for_type::<Event>()),
        derived(&OutputSchema::for_type::<Option<Tree>>()),
        derived(&OutputSchema::for_type::<Vec<Address>>()),
        json!({ "type": "object", "properties": {
            "day": { "type": "string", "format": "date" },
            "at": { "type": "string", "format": "date-time" },
            "mail": { "type": "string", "format": "email" },
            "a/b~c d": { "type": ["string", "integer", "null"] },
            "": { "enum": [1, "1", true, "true", null, "", "two words", [1]] },
            "fixed": { "const": "x" },
            "maybe_fixed": { "const": 7 },
            "text": { "type": "string" },
        }, "required": ["", "day", "fixed", "a/b~c d", "text"], "additionalProperties": { "type": "number" } }),
        json!({ "type": "object", "properties": {
            "several": { "type": "array", "uniqueItems": true, "items": { "enum": ["a", "b", "c"] } },
            "tuple": { "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": "boolean" } },
            "free": { "type": "object" },
            "default": { "type": "integer", "default": 3 },
            "default_list": { "type": "array", "items": { "type": "string" }, "default": ["x"] },
        } }),
        json!({ "anyOf": [
            { "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] },
            { "type": "object", "properties": { "b": { "type": "array", "items": { "$ref": "#" } } }, "required": ["b"] },
        ] }),
        json!(true),
        json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/none" } }, "required": ["x"] }),
    ]
}
