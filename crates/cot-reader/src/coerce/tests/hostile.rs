//! Hostile schemas and values.

use cot_schema::Issues;
use serde_json::{Value, json};

use super::{compiled, fit};
use crate::repair::repairs::Repairs;

fn survives(schema: &Value, value: Value) {
    let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
    let shape = compiled(schema, &[], None);
    let _ = shape.resembles(&value);
    let _ = shape.accepts_bare("a");
    let _ = shape.coerce_partial(value.clone(), 2);
    shape.coerce(value, &mut repairs, &mut doubts);
}

#[test]
fn odd_schemas_are_survived() {
    for schema in [
        json!(true),
        json!(false),
        json!(null),
        json!(1),
        json!({ "$ref": "#" }),
        json!({ "$ref": "#/$defs/A" }),
        json!({ "$ref": "http://example.com/a" }),
        json!({ "$ref": 1, "type": 1, "properties": [], "required": {}, "enum": 1, "items": 1 }),
        json!({ "$defs": { "A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" } }, "$ref": "#/$defs/A" }),
        json!({ "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }] } }, "$ref": "#/$defs/A" }),
        json!({ "$defs": { "A": { "allOf": [{ "$ref": "#/$defs/A" }, { "anyOf": [{ "$ref": "#/$defs/A" }, {}] }] } }, "$ref": "#/$defs/A" }),
        json!({ "$defs": { "A": { "properties": { "a": { "$ref": "#/$defs/A" } }, "oneOf": [{ "$ref": "#" }, { "$ref": "#/$defs/A" }] } }, "$ref": "#/$defs/A" }),
        json!({ "type": "array", "items": { "$ref": "#" } }),
        json!({ "type": "object", "properties": { "value": { "$ref": "#" } }, "required": ["value"] }),
        json!({ "type": "string", "pattern": "(" }),
        json!({ "patternProperties": { "(": true } }),
        json!({ "enum": [] }),
        json!({ "anyOf": [] }),
        json!({ "type": ["integer", "unknown"] }),
        json!({ "not": {}, "if": {}, "contains": {} }),
    ] {
        for value in [
            json!(null),
            json!("a"),
            json!({ "a": { "a": 1 } }),
            json!([[["a"]]]),
            json!({ "value": 1 }),
        ] {
            survives(&schema, value);
        }
    }
}

#[test]
fn deep_values_are_survived() {
    let tree = json!({
        "type": "object",
        "properties": { "a": { "anyOf": [{ "$ref": "#" }, { "type": "array", "items": { "$ref": "#" } }] } },
        "required": ["a"],
    });
    let mut value = json!(1);
    for depth in 0..120 {
        value = if depth % 2 == 0 { json!({ "A": value }) } else { json!([value]) };
    }
    survives(&tree, value.clone());
    let mut text = json!("{\"a\": 1}");
    for _ in 0..12 {
        text = json!(json!({ "a": text }).to_string());
    }
    survives(&tree, text);
}

#[test]
fn nested_alternatives_take_linear_time() {
    // Each level doubles the work if all branches of all branches are evaluated.
    let branch = |name: &str| {
        json!({
            "type": "object",
            "properties": { name: { "type": "integer" }, "next": { "$ref": "#" } },
            "required": ["next"],
        })
    };
    let schema = json!({ "anyOf": [branch("a"), branch("b"), branch("c"), { "type": "null" }] });
    let mut value = json!("null");
    for _ in 0..100 {
        value = json!({ "next": value, "C": "1" });
    }
    let fitted = fit(&schema, &value);
    assert!(fitted.issues.is_empty(), "{}", fitted.issues);
    let mut tagged = json!(1);
    for depth in 0..60 {
        tagged =
            if depth % 2 == 0 { json!({ "type": "A", "value": tagged }) } else { json!([tagged]) };
    }
    let keyed = |name: &str| json!({ "type": "object", "properties": { name: { "$ref": "#" } }, "required": [name], "additionalProperties": false });
    survives(
        &json!({ "oneOf": [keyed("A"), keyed("a"), { "type": "array", "items": { "$ref": "#" } }, { "type": "integer" }] }),
        tagged,
    );
}

#[test]
fn floods_are_survived() {
    let closed = json!({
        "type": "object",
        "properties": { "a": { "type": "integer" }, "b": { "type": "array", "items": { "enum": ["x", "y"] } } },
        "additionalProperties": false,
    });
    let keys: serde_json::Map<String, Value> =
        (0..20_000).map(|i| (format!("k{i}"), json!(i))).collect();
    survives(&closed, Value::Object(keys));
    survives(&closed, json!({ "b": vec!["X"; 20_000] }));
    survives(&closed, json!({ "b": "z".repeat(1_000_000), "a": "9".repeat(1_000_000) }));
    survives(&closed, json!({ "x".repeat(1_000_000): 1 }));
}
