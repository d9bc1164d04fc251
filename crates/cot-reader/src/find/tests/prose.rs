//! The position of JSON in a reply.

use serde_json::json;

use super::{candidates, fault, reading, readings, values};
use crate::find::candidate::{CandidateContent, Origin};

#[test]
fn finds_json_wherever_it_is() {
    let object = json!({ "a": [1, "}"] });
    for text in ["{\"a\": [1, \"}\"]}", "{'a': [1, '}'],}"] {
        for reply in [
            format!(" {text}\n"),
            format!("\u{feff}{text}"),
            format!("Sure, see [1]: {text}."),
            format!("- {text}"),
            format!("1. {text}\n2. Done [x]."),
            format!("```json\n{text}\n```"),
            format!("```{text}```"),
            format!("Here:\n```json\n{text}\n```\nDone."),
            format!("Here:\n~~~\n{text}\n~~~\nDone."),
            format!("````json5 title=x\n{text}\n````"),
            format!("Here:\n```json\n{text}\n"),
            format!("so ```json {text} ``` it is"),
            format!("{text}```"),
            format!("```\n{text}\n```\nor\n```\n{text}\n```"),
            format!("<think>maybe {{\"x\": 1}}</think>\n{text}"),
            format!("<thinking>{{</thinking>{text}"),
            format!("<reasoning>[\"x\"]</reasoning>{text}<scratchpad>{{'b': 2}}</scratchpad>"),
            format!("maybe {{\"x\": 1}} </think>{text}"),
            format!("{{\"x\": 1,</think>{text}"),
            format!("{text}\n</think>"),
            format!("<think>{text}</think>"),
            format!("<think>so, {text}"),
            format!("<json>{text}</json>"),
            format!("The answer is <answer>{text}</answer>, I think."),
            format!("callback({text});"),
            format!("{text}\n\nOnce more: {text}"),
            format!("{{not json}} but \"{text}\""),
            format!("a ] stray }} bracket {text}"),
        ] {
            assert_eq!(values(&reply), std::slice::from_ref(&object), "{reply}");
        }
    }
}

#[test]
fn says_where_a_candidate_stands() {
    let origin = |text: &str| candidates(text).list.first().map(|candidate| candidate.origin);
    assert_eq!(origin("{\"a\": 1}"), Some(Origin::Whole));
    assert_eq!(origin(" {a: 1}\n"), Some(Origin::Whole));
    assert_eq!(origin("so {a: 1}"), Some(Origin::Prose));
    assert_eq!(origin("so\n```\n{a: 1}\n```"), Some(Origin::Fence));
    assert_eq!(origin("```\n{\"a\": 1}\n```"), Some(Origin::Fence));
    assert_eq!(origin("```\n[]\n``` and {\"a\": 1}"), Some(Origin::Prose));
}

#[test]
fn finds_all_candidates() {
    assert_eq!(values("{\"a\": 1} or {'a': 2}"), [json!({ "a": 1 }), json!({ "a": 2 })]);
    assert_eq!(values("```\n{\"a\": 1}\n```\n```\n{\"a\": 2}\n```").len(), 2);
    assert_eq!(values("the list: [1, 2]"), [json!([1, 2])]);
    assert_eq!(values("{\"a\": [1, {\"b\": 2}],}"), [json!({ "a": [1, { "b": 2 }] })]);
    let many: String = (0..20).map(|i| format!("x {{\"a\": {i}}}")).collect();
    let found = candidates(&many);
    assert_eq!((found.list.len(), found.has_more), (16, true));
}

#[test]
fn takes_no_bracket_in_prose_for_json() {
    for prose in [
        "{not json}",
        "{x}",
        "[x]",
        "{a, b}",
        "{",
        "[see: {x}]",
        "{\n:}",
        "{…}",
        "[1]",
        "[link](url)",
        "[ ] todo",
        "[...]",
        "f(x) { return y[0]; }",
        "${name}",
        "{{name}}",
    ] {
        let reply = format!("{{\"a\": 1}} as {prose}");
        assert_eq!(values(&reply), [json!({ "a": 1 })], "{reply}");
        assert_eq!(values(&format!("as {prose} says")), [] as [serde_json::Value; 0], "{prose}");
    }
}

#[test]
fn takes_no_part_of_broken_json_for_the_whole() {
    for text in [
        r#"{"fields": [{"name": "a"}, {"name": "b"#,
        "```json\n{\"fields\": [{\"name\": \"a\"},\n```",
        r#"Well: [{"name": "a"}, {"name""#,
    ] {
        assert!(reading(text).cut.is_some(), "{text}");
    }
    let text = r#"{'fields': [...], 'best': {"name":"inner","size":2}"#;
    assert_eq!(
        reading(text).value,
        json!({ "fields": [], "best": { "name": "inner", "size": 2 } })
    );
}

#[test]
fn takes_a_scalar_only_alone() {
    for (text, value) in [
        ("'word'", json!("word")),
        ("“two words”", json!("two words")),
        ("\"no end", json!("no end")),
        ("True", json!(true)),
        ("None", json!(null)),
        ("1_000", json!(1000)),
        (".5", json!(0.5)),
        ("42", json!(42)),
        ("```\n42\n```", json!(42)),
        ("```json\n\"word\"\n```", json!("word")),
    ] {
        assert_eq!(readings(text)[0].value, value, "{text}");
    }
    for text in
        ["", " ", "I can't.", "a \"word\" here", "\"a\" or \"b\"", "42 of them", "(Sure, here)"]
    {
        assert_eq!(candidates(text).list, [], "{text}");
    }
}

#[test]
fn says_what_cannot_be_read() {
    let (message, is_meant) = fault("Here:\n  {\"a\": 1, %}");
    assert_eq!(
        message,
        "$: the JSON is malformed at line 2, column 12 of the reply: expected a key; answer with one \
         JSON object"
    );
    assert!(is_meant);
    let found = candidates("[1, {x}]");
    assert!(matches!(found.list[0].content, CandidateContent::Fault { .. }), "{found:?}");
}
