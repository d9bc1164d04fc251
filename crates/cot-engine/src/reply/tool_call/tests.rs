//! Calls in the forms that models write.

use std::sync::Arc;

use cot_model::{ReplySchema, Tool};
use serde_json::{Value, json};

use super::calls::{marked_call, parse_calls};

fn tool(name: &str) -> Tool {
    Tool::new("", Arc::new(ReplySchema { name: name.to_owned(), json: json!({}) }))
}

fn calls(value: &Value) -> Option<Vec<(String, String)>> {
    let tools = [tool("search"), tool("pay")];
    let calls = parse_calls(value, &tools)?;
    Some(calls.into_iter().map(|call| (call.name, call.arguments)).collect())
}

#[test]
fn calls_are_read_in_the_forms_that_models_write() {
    let search = |arguments: &str| Some(vec![("search".to_owned(), arguments.to_owned())]);
    for value in [
        json!({ "tool": "search", "arguments": { "q": 1 } }),
        json!({ "name": "search", "arguments": { "q": 1 } }),
        json!({ "type": "function", "function": "search", "parameters": { "q": 1 } }),
        json!({ "tool": "search", "args": { "q": 1 }, "id": "1" }),
        json!({ "tool": "search", "arguments": r#"{"q":1}"# }),
        json!([{ "tool": "search", "arguments": { "q": 1 } }]),
        json!({ "reply": { "call": { "tool": "search", "arguments": { "q": 1 } } } }),
    ] {
        assert_eq!(calls(&value), search(r#"{"q":1}"#), "{value}");
    }
    assert_eq!(calls(&json!({ "tool": "search" })), search("{}"));
    let unknown = json!({ "tool": "fly", "arguments": {} });
    assert_eq!(calls(&unknown), Some(vec![("fly".to_owned(), "{}".to_owned())]));
    let two = json!([{ "tool": "search" }, { "tool": "pay", "arguments": { "cents": 5 } }]);
    assert_eq!(calls(&two).unwrap().len(), 2);
}

#[test]
fn json_within_marks_is_a_call_or_the_arguments_of_one() {
    let tools = [tool("search"), tool("pay")];
    let exact = json!({ "tool": "search", "arguments": { "q": 1 } });
    for (header, value) in [
        ("\n", json!({ "name": "search", "arguments": { "q": 1 } })),
        ("search>", json!({ "q": 1 })),
        ("functions.search:0<|tool_call_argument_begin|>", json!({ "q": 1 })),
        ("function<｜tool▁sep｜>search\n```json\n", json!({ "q": 1 })),
    ] {
        assert_eq!(marked_call(header, &value, &tools).as_ref(), Some(&exact), "{header}");
    }
    assert_eq!(marked_call("", &json!({ "q": 1 }), &tools), None);
    assert_eq!(marked_call("fly>", &json!({ "q": 1 }), &tools), None);
}

#[test]
fn other_values_are_no_calls() {
    for value in [
        json!({ "name": "Ada", "arguments": {} }),
        json!({ "tool": "hammer" }),
        json!({ "tool": "search", "price": 3 }),
        json!({ "tool": 1, "arguments": {} }),
        json!({ "arguments": {} }),
        json!([]),
        json!([{ "tool": "search" }, 1]),
        json!("search"),
    ] {
        assert_eq!(calls(&value), None, "{value}");
    }
}
