//! Lists, maps, and JSON within text.

use serde_json::json;

use super::{fit, issues, keeps, reads, refuses, with};

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
            json!([[1, 2], [3, 4]]),
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
            (
                json!({ "v": "First mix, then let it all rest for a day" }),
                json!({ "v": ["First mix, then let it all rest for a day"] }),
            ),
            (json!({ "v": "[\"a\", \"b\"]" }), json!({ "v": ["a", "b"] })),
            (json!({ "v": 1 }), json!({ "v": ["1"] })),
        ],
    );
    refuses(
        &texts,
        &[json!({ "v": " " }), json!({ "v": null }), json!({ "v": { "a": 1, "b": 2 } })],
    );
    reads(
        &json!({ "type": "array" }),
        &[(json!("a"), json!(["a"])), (json!({ "b": 1 }), json!([{ "b": 1 }]))],
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
fn an_object_is_no_item_where_nothing_asks_for_a_list() {
    let untyped = json!({ "properties": { "a": { "type": "integer" } }, "required": ["a"] });
    let both = json!({ "type": ["object", "array"], "properties": { "a": { "type": "integer" } } });
    for schema in [untyped, both] {
        refuses(&schema, &[json!({ "a": "x" }), json!({ "a": { "b": 1 } })]);
        assert_eq!(fit(&schema, &json!({ "a": "x" })).value, json!({ "a": "x" }));
        reads(&schema, &[(json!({ "a": "1" }), json!({ "a": 1 }))]);
    }
    // The item type of the list requires wrapping.
    let part = |key: &str| json!({ key: { "type": "integer" } });
    let list = json!({
        "type": ["object", "array"], "properties": part("b"), "required": ["b"],
        "items": { "type": "object", "properties": part("a"), "required": ["a"] },
    });
    reads(&list, &[(json!({ "a": 1 }), json!([{ "a": 1 }]))]);
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
            (json!([]), json!({})),
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
    refuses(&by_number, &[json!({ "1": "a", "b": "c" })]);
    let by_name = json!({
        "type": "object",
        "propertyNames": { "enum": ["red", "blue"] },
        "additionalProperties": { "type": "integer" },
    });
    reads(
        &by_name,
        &[
            (json!({ "Red": 1 }), json!({ "red": 1 })),
            (json!([{ "key": "Red", "value": 1 }]), json!({ "red": 1 })),
        ],
    );
    refuses(&by_name, &[json!([{ "key": "Red", "value": 1 }, { "key": "RED", "value": 2 }])]);
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
            (
                json!({ "v": "```json\n{'verdict': 'bad'}\n```" }),
                json!({ "v": { "verdict": "bad" } }),
            ),
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

#[test]
fn maps_as_engines_are_asked_for_them() {
    let entries = json!([{ "key": "a", "value": [1] }]);
    for values in [json!(true), json!({}), json!({ "type": "array" })] {
        let map = json!({ "type": "object", "additionalProperties": values });
        reads(
            &map,
            &[
                (entries.clone(), json!({ "a": [1] })),
                (json!({ "reply": entries }), json!({ "a": [1] })),
                (json!({ "reply": [] }), json!({})),
            ],
        );
        let held = with(&map);
        reads(&held, &[(json!({ "v": entries }), json!({ "v": { "a": [1] } }))]);
    }
    refuses(&json!({ "type": "object" }), &[json!([])]);
}

#[test]
fn lists_of_lists() {
    let table = json!({
        "type": "array",
        "items": { "type": "array", "items": { "type": "integer" } },
    });
    reads(
        &table,
        &[
            (json!([1]), json!([[1]])),
            (json!("1"), json!([[1]])),
            (json!([[1, "2"], 3]), json!([[1, 2], [3]])),
        ],
    );
    assert!(issues(&table, &json!([1, 2])).contains("write a list of lists"));
    let pair = json!({ "type": "integer" });
    let pair =
        json!({ "type": "array", "prefixItems": [pair, pair], "minItems": 2, "maxItems": 2 });
    let pairs = json!({ "type": "array", "items": pair });
    reads(&pairs, &[(json!([1, "2"]), json!([[1, 2]]))]);
    refuses(&pairs, &[json!([1]), json!([1, 2, 3])]);
}

#[test]
fn texts_that_may_list_several_items() {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    for text in ["a, b", "red; dark blue", "- mix\n- let it rest for a long while", "1. a\n2) b"] {
        let issues = issues(&texts, &json!(text));
        assert!(issues.contains("one item or several"), "{text}: {issues}");
    }
    let numbers = json!({ "type": "array", "items": { "type": "number" } });
    refuses(&numbers, &[json!("1,5"), json!("1,234"), json!("1, 2")]);
    reads(&numbers, &[(json!("1.5"), json!([1.5]))]);
}
