//! Incomplete replies.

use serde_json::{Value, json};

use crate::find::prefix::read_incomplete;

fn shown(text: &str) -> Option<(Value, usize)> {
    read_incomplete(text).map(|prefix| (prefix.value, prefix.open))
}

#[test]
fn gives_what_has_come() {
    for (text, value, open) in [
        ("{", json!({}), 1),
        ("{\"a", json!({}), 1),
        ("{\"a\"", json!({}), 1),
        ("{\"a\":", json!({}), 1),
        ("{\"a\": \"", json!({ "a": "" }), 2),
        ("{\"a\": \"b c", json!({ "a": "b c" }), 2),
        ("{\"a\": \"b\\", json!({ "a": "b" }), 2),
        ("{\"a\": \"b\\u00", json!({ "a": "b" }), 2),
        ("{\"a\": \"b\"", json!({ "a": "b" }), 1),
        ("{\"a\": 12", json!({}), 1),
        ("{\"a\": 12,", json!({ "a": 12 }), 1),
        ("{\"a\": tru", json!({}), 1),
        ("{\"a\": [", json!({ "a": [] }), 2),
        ("{\"a\": [1, 2", json!({ "a": [1] }), 2),
        ("{\"a\": [1, {\"b\": \"c", json!({ "a": [1, { "b": "c" }] }), 4),
        ("{\"a\": [1]", json!({ "a": [1] }), 1),
        ("{\"a\": [1], \"b", json!({ "a": [1] }), 1),
        ("{\"a\": 1}", json!({ "a": 1 }), 0),
        ("{\"a\": 1} and", json!({ "a": 1 }), 0),
        ("Sure:\n```json\n{'a': 'b", json!({ "a": "b" }), 2),
        ("<think>{\"x\": 1}</think>{\"a\": 1,", json!({ "a": 1 }), 1),
        ("see [1] and {x}: [{\"a\": 1}, {", json!([{ "a": 1 }, {}]), 2),
        ("[1, 2, 3", json!([1, 2]), 1),
    ] {
        assert_eq!(shown(text), Some((value, open)), "{text}");
    }
}

#[test]
fn gives_nothing_before_json_comes() {
    for text in ["", "Sure", "<think>{\"a\": 1}", "see [1]", "use {x}", "\"word"] {
        assert_eq!(shown(text), None, "{text}");
    }
}
