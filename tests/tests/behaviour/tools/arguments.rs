//! Calls that can't be made: the model learns why.

use cot_core::model::{ModelReply, ToolCall};
use serde_json::json;

use super::shop::{Cart, Visit, open, words};

fn error_of(tool: &str, arguments: &str) -> String {
    let mut visit = Visit::new(open());
    visit.reply(ModelReply::calling([ToolCall::new(tool, arguments)]));
    visit.error()
}

#[test]
fn arguments_are_read_leniently_and_checked() {
    for text in [r#"{"words":["a"]}"#, r#"{"Words": "a"}"#, "```json\n{words: ['a'],}\n```"] {
        let mut visit = Visit::new(open());
        visit.reply(ModelReply::calling([ToolCall::new("search", text)]));
        visit.run();
        assert_eq!(visit.results(), [Ok(r#"["a found"]"#.to_owned())], "{text}");
    }
    let error = error_of("search", "{}");
    assert!(
        error.starts_with("the arguments of \"search\" are not valid:\n- $: `words` is required"),
        "{error}"
    );
    let error = error_of("search", r#"{"words":["a"],"limit":900}"#);
    assert!(error.contains("- $.limit: "), "{error}");
    let error = error_of("search", "I don't know");
    assert!(error.contains("- $: "), "{error}");
    let error = error_of("read_file", r#"{"path":"a","lines":0}"#);
    assert!(error.contains("- $.lines: "), "{error}");
}

#[test]
fn unknown_and_invisible_tools_are_answered_with_the_visible_ones() {
    let names = "The tools are \"search\", \"pay\", \"hours\", \"read_file\"";
    assert_eq!(
        error_of("serach", "{}"),
        format!("there is no tool \"serach\": did you mean \"search\"? {names}")
    );
    // Not among those that the process allows.
    assert!(error_of("remove_file", "{}").starts_with("there is no tool \"remove_file\""));
    let mut visit = Visit::new(Cart::default());
    visit.call(&[("pay", json!({ "cents": 1 }))]);
    assert_eq!(
        visit.error(),
        "there is no tool \"pay\". The tools are \"search\", \"hours\", \"read_file\""
    );
    assert_eq!(visit.keys(), ["answer#1@1+round-1"]);
}

#[test]
fn arguments_of_a_megabyte_are_refused_and_not_kept() {
    let mut visit = Visit::new(open());
    visit.call(&[("search", words(&"x".repeat(1 << 20)))]);
    let error = "the arguments have 1048590 bytes as JSON: at most 65536 are allowed";
    assert_eq!(visit.error(), error);
    let snapshot = visit.machine.snapshot().unwrap().to_json().unwrap();
    assert!(snapshot.len() < 20_000, "{}", snapshot.len());
    let request = visit.request();
    assert_eq!(request.rounds[0].calls[0].0.arguments, r#"{"omitted":"1048590 bytes"}"#);
}
