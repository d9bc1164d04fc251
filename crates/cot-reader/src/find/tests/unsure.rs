//! Texts with two readings, of which none is clearly cheaper if it could be wrong.

use serde_json::json;

use super::readings;

/// Returns the difference in cost between the first reading and the next.
fn margin(text: &str) -> u64 {
    let all = readings(text);
    let cost = |at: usize| all.get(at).map_or(u64::MAX, |parsed| parsed.repairs.cost());
    cost(1) - cost(0)
}

#[test]
fn gives_both_readings() {
    for (text, first, second) in [
        (r#"{"a": "b}"#, json!({ "a": "b" }), json!({ "a": "b}" })),
        (r#"{"a": x b: y}"#, json!({ "a": "x b: y" }), json!({ "a": "x", "b": "y" })),
    ] {
        let values: Vec<_> = readings(text).into_iter().map(|parsed| parsed.value).collect();
        assert_eq!(values, [first, second], "{text}");
    }
}

#[test]
fn is_not_sure_without_reason() {
    let text = r#"{"a": x b: y}"#;
    assert!(margin(text) < 6, "{:?}", readings(text));
}

/// Returns the reading of a text, if it is not rejected.
fn read(text: &str) -> Option<serde_json::Value> {
    crate::Reader::any().read(text).ok().map(|reading| reading.value)
}

#[test]
fn takes_no_structure_for_text() {
    for text in [
        r#"{"a": "x" , rest" }"#,
        r#"{"a": ["x"], ["y"], "b": 1}"#,
        r#"{"a": ["x", "y"], "b": 1, ["z"]}"#,
        r#"{"a": "x" true}"#,
        r#"{"a": ["one" two", "three"]}"#,
        r#"{"a": ["x, y], "b": 1}"#,
        r#"{"a": "x,}"#,
        r#"{"a}: 1}"#,
        r#"{}b": 1}"#,
        r#"{"a": 1} [2, 3"#,
        r#"{"a": {"b": 1 // note }, "c": 2}"#,
        r#"{"a": -"#,
    ] {
        assert!(
            read(text).is_none_or(|value| value == json!({ "a": 1 })),
            "{text}: {:?}",
            read(text)
        );
    }
}

#[test]
fn takes_quotes_and_colons_that_are_written_twice_for_one() {
    let object = json!({ "a": "x", "b": 1 });
    for text in [
        r#"{""a": "x", "b": 1}"#,
        r#"{"a"": "x", "b": 1}"#,
        r#"{"a": ""x", "b": 1}"#,
        r#"{"a": "x"", "b": 1}"#,
        r#"{"a":: "x", "b": 1}"#,
        r#"{"a": "x"}, "b": 1}"#,
        r#"{"a": "x}, "b": 1}"#,
        r#"{"a": ("x"), "b": 1}"#,
        r#"{"a": "x",b": 1}"#,
        "{\u{200e}\"a\": \"x\", \"b\": 1\u{200b}}",
        r#"{"a": "x", "b": 1/* one */}"#,
    ] {
        assert_eq!(read(text), Some(object.clone()), "{text}");
    }
}

#[test]
fn keeps_quoted_words_in_texts() {
    for (text, value) in [
        (r#"{"a": "he "said" so", "b": 1}"#, r#"he "said" so"#),
        (r#"{"a": "a 7" disc", "b": 1}"#, r#"a 7" disc"#),
        (r#"{"a": "f({"k": "v"}) runs", "b": 1}"#, r#"f({"k": "v"}) runs"#),
        (r#"{"a": "\d+\.\d", "b": 1}"#, r"\d+\.\d"),
        (r#"{'a': 'the cats' bowls', "b": 1}"#, "the cats' bowls"),
    ] {
        assert_eq!(read(text), Some(json!({ "a": value, "b": 1 })), "{text}");
    }
}
