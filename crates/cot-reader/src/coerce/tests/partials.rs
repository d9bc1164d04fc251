//! Incomplete values.

use serde_json::{Value, json};

use super::compiled;

fn partial(schema: &Value, given: &Value, open: usize) -> Value {
    compiled(schema, &[], None).coerce_partial(given.clone(), open)
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "first_name": { "type": "string" },
            "age": { "type": "integer" },
            "tags": { "type": "array", "items": { "enum": ["a", "b"] } },
            "shape": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } }, "required": ["kind", "radius"] },
                { "type": "object", "properties": { "kind": { "const": "dot" } }, "required": ["kind"] },
            ] },
        },
        "required": ["first_name", "age"],
        "additionalProperties": false,
    })
}

#[test]
fn what_is_finished_is_brought_into_form() {
    for (given, open, wanted) in [
        (json!({ "firstName": "Ad" }), 2, json!({ "first_name": "Ad" })),
        (json!({ "firstName": "Ada", "age": "36" }), 1, json!({ "first_name": "Ada", "age": 36 })),
        (json!({ "age": "36", "Tags": ["A", "B"] }), 3, json!({ "age": 36, "tags": ["a", "B"] })),
        (json!({ "tags": "A", "age": 3 }), 2, json!({ "tags": ["a"], "age": 3 })),
        (
            json!({ "shape": { "kind": "Circle", "radius": "1", "x": 1 } }),
            3,
            json!({ "shape": { "kind": "circle", "radius": 1, "x": 1 } }),
        ),
    ] {
        assert_eq!(partial(&schema(), &given, open), wanted, "{given}");
    }
}

#[test]
fn what_is_open_is_left_open() {
    for (given, open) in [
        (json!({}), 1),
        (json!({ "age": "3" }), 2),
        (json!({ "tags": "a" }), 2),
        (json!({ "zodiac": "Leo", "age": null }), 1),
        (json!({ "shape": { "kind": "Circ" } }), 3),
        (json!([{ "first_name": "Ada" }]), 1),
        (json!("a"), 1),
        (json!({ "result": { "first_name": "Ada" } }), 2),
    ] {
        assert_eq!(partial(&schema(), &given, open), given, "{given}");
    }
}
