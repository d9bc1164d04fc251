//! Lists, maps, and JSON within text.

use serde_json::json;

use super::{keeps, reads, refuses, with};

#[test]
fn items() {
    let numbers = json!({ "type": "array", "items": { "type": "integer" } });
    reads(
        &numbers,
        &[
            (json!(["1", 2]), json!([1, 2])),
            (json!("1"), json!([1])),
            (json!(1), json!([1])),
            (json!("[1, \"2\"]"), json!([1, 2])),
            (json!([[1, 2]]), json!([1, 2])),
            (json!({ "items": [1, "2"] }), json!([1, 2])),
            (json!({ "numbers": [1] }), json!([1])),
        ],
    );
    keeps(&numbers, &[json!([]), json!([1])]);
    refuses(
        &numbers,
        &[
            json!("bad"),
            json!(["bad"]),
            json!([1, "bad"]),
            json!([null]),
            json!(null),
            json!(""),
            json!({}),
            json!([[1], [2]]),
        ],
    );
}

#[test]
fn single_values() {
    let texts = with(&json!({ "type": "array", "items": { "type": "string" } }));
    reads(
        &texts,
        &[
            (json!({ "v": "not json" }), json!({ "v": ["not json"] })),
            (json!({ "v": "a, b" }), json!({ "v": ["a, b"] })),
            (json!({ "v": "[\"a\", \"b\"]" }), json!({ "v": ["a", "b"] })),
            (json!({ "v": 1 }), json!({ "v": ["1"] })),
        ],
    );
    refuses(
        &texts,
        &[json!({ "v": " " }), json!({ "v": null }), json!({ "v": { "a": 1, "b": 2 } })],
    );
    let item = json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] });
    let objects = json!({ "type": "array", "items": item });
    reads(&objects, &[(json!({ "a": "1" }), json!([{ "a": 1 }]))]);
    reads(&item, &[(json!([{ "a": "1" }]), json!({ "a": 1 }))]);
    refuses(&item, &[json!([{ "a": 1 }, { "a": 2 }]), json!([{}]), json!([])]);
    refuses(&objects, &[json!({ "b": 1 })]);
    refuses(
        &json!({ "type": "array", "items": { "type": "integer" }, "minItems": 2 }),
        &[json!(1), json!(["1", "bad"])],
    );
}

#[test]
fn tuples() {
    let pair = json!({
        "type": "array",
        "prefixItems": [{ "type": "string" }, { "type": "number" }],
        "minItems": 2,
        "maxItems": 2,
    });
    reads(&pair, &[(json!(["a", "1.5"]), json!(["a", 1.5])), (json!([[1, 2]]), json!(["1", 2]))]);
    refuses(&pair, &[json!(["a"]), json!("a"), json!(["a", 1, 2]), json!([1.5, "a"])]);
}

#[test]
fn maps() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    reads(
        &map,
        &[
            (json!({ "a": "2" }), json!({ "a": 2 })),
            (
                json!([{ "key": "a", "value": "1" }, { "key": "b", "value": 2 }]),
                json!({ "a": 1, "b": 2 }),
            ),
            (json!([{ "name": "a", "value": 1 }]), json!({ "a": 1 })),
            (json!([{ "value": 1, "key": 7 }]), json!({ "7": 1 })),
            (json!("{\"a\": 1}"), json!({ "a": 1 })),
        ],
    );
    keeps(&map, &[json!({}), json!({ "First Name": 1, "first_name": 2 })]);
    refuses(
        &map,
        &[
            json!([{ "key": "a", "value": 1 }, { "key": "a", "value": 2 }]),
            json!([{ "key": "a" }]),
            json!([{ "key": "a", "value": "x" }]),
            json!({ "a": "x" }),
            json!([]),
        ],
    );
    let by_number = json!({
        "type": "object",
        "patternProperties": { "^\\d+$": { "type": "string" } },
        "additionalProperties": false,
    });
    reads(
        &by_number,
        &[
            (json!([{ "key": 1, "value": 2 }]), json!({ "1": "2" })),
            (json!({ "1": 2 }), json!({ "1": "2" })),
        ],
    );
    let by_name = json!({
        "type": "object",
        "propertyNames": { "enum": ["red", "blue"] },
        "additionalProperties": { "type": "integer" },
    });
    reads(&by_name, &[(json!({ "Red": 1 }), json!({ "red": 1 }))]);
    refuses(&by_name, &[json!({ "green": 1 }), json!({ "Red": 1, "red": 2 })]);
}

#[test]
fn json_in_text() {
    let inner = json!({
        "type": "object",
        "properties": { "verdict": { "type": "string" } },
        "required": ["verdict"],
    });
    let outer = with(&inner);
    reads(
        &outer,
        &[
            (json!({ "v": "{\"verdict\": \"bad\"}" }), json!({ "v": { "verdict": "bad" } })),
            (json!({ "v": " {\"Verdict\": 1}\n" }), json!({ "v": { "verdict": "1" } })),
            (
                json!("{\"v\": \"{\\\"verdict\\\": \\\"bad\\\"}\"}"),
                json!({ "v": { "verdict": "bad" } }),
            ),
        ],
    );
    refuses(
        &outer,
        &[
            json!({ "v": "not json" }),
            json!({ "v": "[1, 2]" }),
            json!({ "v": "{}" }),
            json!({ "v": "{\"verdict\": " }),
        ],
    );
    keeps(&json!({ "type": ["object", "string"] }), &[json!("{\"a\": 1}")]);
}
