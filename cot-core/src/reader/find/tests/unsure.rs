//! Texts with two readings: none is clearly the cheapest where that may be wrong.

use serde_json::json;

use super::readings;

/// How much cheaper the first reading is than the next.
fn margin(text: &str) -> u64 {
    let all = readings(text);
    let cost = |at: usize| all.get(at).map_or(u64::MAX, |parsed| parsed.repairs.cost());
    cost(1) - cost(0)
}

#[test]
fn gives_both_readings() {
    for (text, first, second) in [
        (r#"{"a": "b, "c": "d"}"#, json!({ "a": "b", "c": "d" }), json!({ "a": "b, \"c\": \"d" })),
        (
            r#"[{"a": "b}, {"a": "c"}]"#,
            json!([{ "a": "b" }, { "a": "c" }]),
            json!([{ "a": "b}, {\"a\": \"c" }]),
        ),
        (
            r#"{"a": ["b], "c": "d"}"#,
            json!({ "a": ["b"], "c": "d" }),
            json!({ "a": ["b], \"c\": \"d"] }),
        ),
        (r#"{"a": "b}"#, json!({ "a": "b" }), json!({ "a": "b}" })),
        (r#"{"a": x b: y}"#, json!({ "a": "x b: y" }), json!({ "a": "x", "b": "y" })),
    ] {
        let values: Vec<_> = readings(text).into_iter().map(|parsed| parsed.value).collect();
        assert_eq!(values, [first, second], "{text}");
    }
}

#[test]
fn is_not_sure_without_reason() {
    for text in [r#"["x", "said "y", "z" and left"]"#, r#"{"a": x b: y}"#] {
        assert!(margin(text) < 6, "{text}: {:?}", readings(text));
    }
}
