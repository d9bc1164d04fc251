//! Arguments that are not JSON, break off, or were invented.

use cot_engine::SourceTool;
use cot_model::{ModelReply, ToolCall};
use serde_json::json;

use super::shop::{Visit, open};

fn called(name: &str, arguments: &str) -> Visit {
    let mut visit = Visit::new(open());
    visit.reply(ModelReply::calling([ToolCall::new(name, arguments)]));
    visit
}

#[test]
fn arguments_are_not_completed_at_their_end() {
    for text in [r#"{"words": ["a"]"#, r#"{"words": ["a"#, r#"{"words": ["a"], "limit": 1"#] {
        let error = called("search", text).error();
        assert!(error.contains("break off") || error.contains("breaks off"), "{text}: {error}");
    }
    // The braces around a call in the text may be missing, but nothing of its arguments.
    let mut visit = Visit::new(open());
    visit.reply(r#"{"tool": "search", "arguments": {"words": ["a"]}"#);
    assert_eq!(visit.keys(), ["answer#1@1+tool-1"]);
    let mut visit = Visit::new(open());
    visit.reply(r#"{"tool": "search", "arguments": {"words": ["a"]"#);
    assert_eq!(visit.keys(), ["answer#1@2"]);
}

#[test]
fn the_history_has_what_was_executed_or_says_what_was_wrong() {
    for (text, sent) in [
        (r#"{"words": ["a"]}"#, r#"{"words": ["a"]}"#),
        (r#"{'words': ['a'],}"#, r#"{"words":["a"]}"#),
        (r#"Here: {"words": ["a"]}"#, r#"{"words":["a"]}"#),
        (r#""{\"words\":[\"a\"]}""#, r#"{"words":["a"]}"#),
        (r#"{"words": ["a"#, r#"{"invalid_arguments":"{\"words\": [\"a"}"#),
        ("[1]", r#"{"invalid_arguments":"[1]"}"#),
        (r#"{"limit": 1}"#, r#"{"limit": 1}"#),
    ] {
        let mut visit = called("search", text);
        visit.run_functions();
        assert_eq!(visit.request().rounds[0].calls[0].0.arguments, sent, "{text}");
    }
}

#[test]
fn a_tool_without_parameters_is_called_whatever_its_arguments() {
    let schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    for (text, repairs) in [("", 0), ("{}", 0), (r#"{"name": "input_file_0.wav"}"#, 1)] {
        let mut visit =
            Visit::offering(vec![SourceTool::new("read_file", "Reads", schema.clone())]);
        visit.reply(ModelReply::calling([ToolCall::new("read_file", text)]));
        assert_eq!(visit.repairs(), repairs, "{text}");
        visit.run_all();
        let result = visit.results().remove(0).unwrap();
        assert!(result.contains(r#""arguments":{}"#), "{result}");
    }
}
