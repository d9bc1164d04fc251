use serde_json::{Value as Json, json};

use super::*;

fn recovered(text: &str) -> Json {
    let recovered = recover(text);
    assert!(!recovered.findings.is_empty(), "{text}");
    assert!(recovered.findings.len() <= 13, "{text}: {:?}", codes(&recovered.findings));
    Json::Array(recovered.trace.blocks.iter().map(|block| block.content.to_plain_json()).collect())
}

#[test]
fn reads_other_signs_for_those_of_the_format() {
    let expected = json!([{ "a": "x", "b": [1, 2], "c": { "d": "e f" } }]);
    for text in [
        "plan { a -> x • b -> [ 1 • 2 ] • c -> { d -> \"e f\" } }",
        "plan { a => x, b => [1, 2], c => { d => \"e f\" } }",
        "plan {a: x, b: [1, 2], c: {d: \"e f\"}}",
        "plan {a:x,b:[1,2],c:{d:\"e f\"}}",
        "plan {\"a\": \"x\", \"b\": [1,2], \"c\": {\"d\": \"e f\"},}",
        "plan { a → x · b → [ 1 · 2 ] · c → { d → “e f” } }",
        "plan {'a': 'x', 'b': [1, 2], 'c': {'d': 'e f'}}",
        "plan { a ↦ x • b ↦ [ 1 • 2 ] • c ↦ { d ↦ 'e f' } }",
        "plan { a ↦ x • b ↦ [ 1 • 2 ] • c ↦ { d ↦ `e f` } }",
        "plan { a = x; b = [1; 2]; c = { d = <<e f>> } }",
        "Plan { a ↦ x • b ↦ [ 1 • 2 ] • c ↦ { d ↦ 『e f』 } }",
    ] {
        assert_eq!(recovered(text), expected, "{text}");
    }
    assert_eq!(value("'tis"), Value::from("'tis"));
    let text = "act { think -> \"x\" p=0.9 @usr1 #idea |= 2, call -> y p .5 }";
    let trace = recover(text).trace;
    let think = trace.blocks[0].thoughts().next().unwrap();
    assert_eq!(think.tags()[0].value, "idea");
    assert_eq!(think.references()[0].value, "usr1");
    assert_eq!(think.satisfies()[0].value, Number::from(2));
    assert_eq!(think.confidence().unwrap().value.as_f64(), 0.9);
}

#[test]
fn closes_what_was_left_open() {
    assert_eq!(
        recovered("plan {\n  todo ↦ {\n    1 ↦ \"Look.\" •\n\nact {\n  think ↦ x\n}"),
        json!([{ "todo": { "1": "Look." } }, { "think": "x" }])
    );
    assert_eq!(recovered("plan { a ↦ [ 1 • 2 • b ↦ 3 }"), json!([{ "a": [1, 2, "b", 3] }]));
    assert_eq!(recovered("plan { a ↦ [ 1 • 2 }"), json!([{ "a": [1, 2] }]));
    assert_eq!(
        recovered("user「Hello 🏷 usr1\n\nplan { a ↦ 1 }"),
        json!(["Hello 🏷 usr1", { "a": 1 }])
    );
    assert_eq!(recovered("user「a 「 b」🏷 usr1\nplan {}"), json!(["a 「 b", {}]));
    assert_eq!(recovered("response「It is"), json!(["It is"]));
}

#[test]
fn values_without_a_key_have_an_empty_one() {
    let expected = json!([{ "": { "tool": "x" }, "a": 1 }]);
    for text in ["act { { tool ↦ x } • a ↦ 1 }", "act { ↦ { tool ↦ x } • a ↦ 1 }"] {
        assert_eq!(recovered(text), expected, "{text}");
    }
    assert_eq!(recovered("act { ↦ }"), json!([{}]));
}

#[test]
fn what_lies_too_deep_hides_nothing_behind_it() {
    let deep = "[".repeat(MAX_DEPTH);
    for inner in ["「 ] \" [ 」 ".to_owned() + &"]".repeat(MAX_DEPTH), "\"".to_owned()] {
        let trace = recover(&format!("plan {{ a ↦ {deep}{inner}\n}}\nuser「x」")).trace;
        let kinds: Vec<BlockKind> = trace.blocks.iter().map(|block| block.kind).collect();
        assert_eq!(kinds, [BlockKind::Plan, BlockKind::User], "{inner}");
    }
}

#[test]
fn closes_texts_where_they_likely_end() {
    let expected = json!([{ "a": "one two", "b": "three", "c": 4 }]);
    for text in [
        "plan {\n a ↦ \"one two •\n b ↦ \"three\" •\n c ↦ 4\n}",
        "plan {\n a ↦ \"one two\n b ↦ \"three\" •\n c ↦ 4\n}",
        "plan {\n a ↦ 「one two •\n b ↦ 「three」 •\n c ↦ 4\n}",
        "plan {\n a ↦ \"one two\" •\n b ↦ \"three •\n c ↦ 4 }",
        "plan {\n a ↦ one two •\n b ↦ \"three\"\n c ↦ 4 }",
        "plan {\n a ↦ one two\n b ↦ three\n c ↦ 4\n}",
    ] {
        assert_eq!(recovered(text), expected, "{text}");
    }
    assert_eq!(
        recovered("plan { a ↦ \"He said \"hi\" to me\" • b ↦ 1 }"),
        json!([{ "a": "He said \"hi\" to me", "b": 1 }])
    );
    assert_eq!(recovered("plan { a ↦ \"x\" b ↦ \"y\" }"), json!([{ "a": "x", "b": "y" }]));
    assert_eq!(
        recover("user \"hi\" plan { a ↦ \"x\" }").trace.blocks.len(),
        2,
        "one line holds several structures"
    );
}

#[test]
fn keeps_well_formed_traces_as_they_are() {
    let recovered = recover(WEATHER);
    assert!(recovered.findings.is_empty(), "{:?}", recovered.findings);
    assert_eq!(recovered.trace, parse(WEATHER).unwrap());
}

#[test]
fn finds_quotes_in_other_signs_that_nothing_closes() {
    for text in ["user “Hello", "system『Be\nplan {}"] {
        assert_eq!(parse(text).unwrap_err().as_slice()[0].code, Code::UnclosedString, "{text}");
    }
}
