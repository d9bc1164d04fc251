//! Hostile replies.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{CandidateContent, candidates, fault, reading, values};
use crate::{
    find::prefix::read_incomplete, parse::has_odd_escapes, repair::repairs::PendingRepair,
};

#[test]
fn hostile_replies_take_linear_time() {
    for unit in ["{", "[", "{}", "{\"a\":", "<think>"] {
        let _ = candidates(&unit.repeat(200_000));
    }
    // An algorithm that is not linear would take minutes.
    let long = 12_000;
    for unit in [
        "{",
        "[",
        "(",
        "{}",
        "[]",
        "{\"a\":",
        "[{]}",
        "<think>",
        "</think>",
        "```",
        "```{",
        "~~~[\"",
        "{a",
        "{'",
        "{a:",
        "{} </think>",
        "{\"a\":1,}",
        "[ ",
        "{ ",
        "{\"\\",
        "\"",
        "\"\"",
        "'",
        "\\",
        "\\\"",
        "{\"a\":\"",
        "{\"a\":\"b\" ",
        "\"a\" ",
        "\",\"",
        "\", \"a\": \"",
        "{\"a:1,",
        "\"}",
        "\"]",
        "[\"a\"}",
        "/*",
        "//",
        "#",
        "[/*",
        "1 ",
        "[1 ",
        "a ",
        "{a:b ",
        "{a:b,",
        "{a:b, c ",
        "{\"a\":b\" ",
        "...",
        "[...",
        "+",
        "[\"a\"+",
        "“",
        "{“",
        "[“a”",
        "x(",
        "[x(\"",
        "[x(1",
        "{\"a\":x(",
        "\u{feff}",
        "\u{a0}",
        "\n",
        "{\"a\"\n",
        "[1e999,",
        "{\\\"a\\\":",
        "\\n",
        "{\\n",
        "[\"\\ud800",
        "\"\"\"",
        "{\"a\":\"\"\"b",
        "[''a",
        "{\"a\":''b",
        "}",
        "]",
        "},",
        "],",
        "{\"\":}",
        "{,",
        "[,",
        ";",
        "{;",
        "<json>",
        "</json>",
        "[{\"a\":\"{\"",
        "{\"a\":[\"}",
        "[\"x\", \"y",
        "[-",
        "[0x",
        "[1_",
        "{\"a\" \"b\" ",
        "{{",
        "{{\"a\":",
    ] {
        let text = unit.repeat(long / unit.len());
        for reply in [format!("{{\"a\": [{text}"), format!("{{\"a\": \"{text}"), text] {
            let _ = candidates(&reply);
            let _ = read_incomplete(&reply);
        }
    }
}

#[test]
fn reads_what_is_only_large() {
    let string = "x y z\n\u{e9} ".repeat(100_000);
    assert_eq!(reading(&format!("{{'a': '{string}'}}")).value, json!({ "a": string }));
    let list = "1 ".repeat(20_000);
    assert_eq!(reading(&format!("[{list}]")).value.as_array().map(Vec::len), Some(20_000));
    let objects = "{'a': 1, }, ".repeat(10_000);
    assert_eq!(reading(&format!("[{objects}]")).value.as_array().map(Vec::len), Some(10_000));
}

#[test]
fn says_that_values_are_too_deep() {
    let nested = |depth: usize| format!("{}1,{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(reading(&nested(128)).repairs.cost(), 1);
    let limit = "$: the JSON is nested more than 128 levels deep";
    for text in [nested(129), nested(100_000), "{\"a\":".repeat(1_000_000), "[".repeat(1_000_000)] {
        assert_eq!(fault(&text), (limit.to_owned(), true));
    }
    let hidden = format!("{}{{\"a\": 1}}{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(fault(&hidden), (limit.to_owned(), true));
}

#[test]
fn quotes_of_two_widths_are_survived() {
    for text in ["{``“[0“`}", "{\"a\":“b“`c“}", "{\"a\":\"b“\"c\"}"] {
        let _ = candidates(text);
        let _ = read_incomplete(text);
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    values_of(prop_oneof![".{0,12}", r#"[{}\[\]"':, \\a\n]{0,12}"#])
}

/// An object whose strings contain no JSON punctuation, since truncated ones would be ambiguous.
fn plain_object() -> impl Strategy<Value = Value> {
    let value = || values_of("[^{}\\[\\]\"':,\\\\]{0,12}");
    (value(), value()).prop_map(|(one, two)| json!({ "one": one, "two": two }))
}

/// Values with such strings and keys.
fn values_of(
    text: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e15..1e15).prop_map(Value::from),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let key = text.clone();
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn json_object() -> impl Strategy<Value = Value> {
    (json_value(), json_value()).prop_map(|(one, two)| json!({ "one": one, "two": two }))
}

proptest! {
    #[test]
    fn never_panics(
        text in "(?s).{0,200}",
        broken in r#"[{}\[\]()"'\\`<>/a-cu0-9:,;.+_#“” \n-]{0,80}"#,
    ) {
        for text in [&text, &broken] {
            let _ = candidates(text);
            let _ = read_incomplete(text);
        }
    }

    #[test]
    fn reads_json_as_it_is(value in json_value()) {
        prop_assume!(!has_odd_escapes(&value.to_string()));
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let parsed = reading(&text);
            prop_assert_eq!(&parsed.value, &value);
            prop_assert_eq!(parsed.cut, None);
            prop_assert!(parsed.repairs.is_empty());
        }
    }

    #[test]
    fn reads_json_in_prose_as_it_is(
        before in r"[^{}\[\]<`~]{1,40}",
        after in r"[^{}\[\]<`~]{1,40}",
        value in json_object(),
    ) {
        prop_assume!(!has_odd_escapes(&value.to_string()));
        prop_assert_eq!(values(&format!("{before}{value}{after}")), [value]);
    }

    #[test]
    fn reads_what_was_cut_off(value in plain_object(), place in 0.0..1.0) {
        let text = value.to_string();
        prop_assume!(!has_odd_escapes(&text));
        let at = text.floor_char_boundary((text.len() as f64 * place) as usize).max(1);
        let found = candidates(&text[..at]);
        prop_assert_eq!(found.list.len(), 1);
        match &found.list[0].content {
            CandidateContent::Readings(readings) => {
                let is_closer = |repair: &PendingRepair| repair.description().starts_with("a missing");
                prop_assert!(readings[0].cut.is_some() || readings[0].repairs.iter().any(is_closer));
            }
            // The end of a string of brackets and commas is ambiguous.
            CandidateContent::Fault { issues, is_meant } => prop_assert!(*is_meant && !issues.is_empty()),
        }
        read_incomplete(&text[..at]);
    }
}
