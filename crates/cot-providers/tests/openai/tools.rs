//! Tools in requests, calls in replies, and results in the next request.

use std::sync::Arc;

use cot_model::{
    FinishReason, LanguageModel, ModelErrorKind, ModelReply, ModelRequest, ReplySchema, Tool,
    ToolCall, ToolResult, ToolRound,
};
use cot_providers::OpenAiBuilder;
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    builder, model,
    server::{Answer, Server},
};

pub(crate) fn tool(name: &str, schema: Value) -> Tool {
    let schema = ReplySchema { name: name.to_owned(), json: schema };
    Tool::new(format!("Does {name}."), Arc::new(schema))
}

fn city() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" }, "days": { "type": "integer" } },
            "required": ["city"] })
}

/// A request with two tools and all optional parts.
pub(crate) fn request() -> ModelRequest {
    crate::request().with_tools([tool("weather", city()), tool("now", json!({ "type": "object" }))])
}

/// A call in a reply of the server.
fn called(id: &str, name: &str, arguments: Value) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

async fn sent(request: &ModelRequest, with: fn(OpenAiBuilder) -> OpenAiBuilder) -> Value {
    let server = Server::start([Answer::completion("{}")]).await;
    with(builder(&server.base_url)).build().unwrap().reply(request).await.unwrap();
    server.asked()[0].body.clone()
}

async fn replied(message: Value) -> ModelReply {
    let server = Server::start([Answer::choice(message, "tool_calls")]).await;
    model(&server.base_url).reply(&request()).await.unwrap()
}

fn calls(reply: &ModelReply) -> Vec<(&str, &str, &str)> {
    let calls = reply.tool_calls.iter();
    calls.map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect()
}

#[tokio::test]
async fn tools_are_sent_beside_the_explanation_of_the_format() {
    let body = sent(&request(), |builder| builder).await;
    let function = |name: &str, parameters: Value| {
        let description = format!("Does {name}.");
        json!({ "type": "function",
                "function": { "name": name, "description": description, "parameters": parameters } })
    };
    let bare = json!({ "type": "object", "properties": {} });
    assert_eq!(body["tools"], json!([function("weather", city()), function("now", bare)]));
    let message = json!({ "role": "user", "content": "Add a field.\n\nAnswer in JSON." });
    assert_eq!((body.get("response_format"), &body["messages"]), (None, &json!([message])));
    let without = sent(&crate::request(), |builder| builder).await;
    assert_eq!(without.get("tools"), None);
}

#[tokio::test]
async fn the_format_is_sent_beside_tools_where_both_work_together() {
    let strict: fn(OpenAiBuilder) -> OpenAiBuilder = |b| b.dialect(Dialect::OpenAiStrict);
    for (with, is_sent) in [
        (strict, true),
        (|b| b.dialect(Dialect::OpenAiStrict).format_with_tools(false), false),
        (|b| b.dialect(Dialect::LlamaCpp), false),
        (|b| b.format_with_tools(true), true),
    ] {
        let body = sent(&request(), with).await;
        assert_eq!(body["tools"].as_array().unwrap().len(), 2);
        let prompt = &body["messages"][0]["content"];
        if is_sent {
            assert_eq!(
                (&body["response_format"]["type"], prompt),
                (&json!("json_schema"), &json!("Add a field."))
            );
        } else {
            assert_eq!(body.get("response_format"), None);
            assert_eq!(prompt, "Add a field.\n\nAnswer in JSON.");
        }
    }
}

#[tokio::test]
async fn strict_servers_get_strict_tools_where_the_dialect_can_express_them() {
    let any = tool("any", json!({ "type": "object", "properties": { "value": true } }));
    let request = request().with_tools([
        tool("weather", city()),
        tool("now", json!({ "type": "object" })),
        any.clone(),
    ]);
    let body = sent(&request, |builder| builder.dialect(Dialect::OpenAiStrict)).await;
    let functions: Vec<&Value> = (0..3).map(|at| &body["tools"][at]["function"]).collect();
    assert_eq!(functions[0]["parameters"], Dialect::OpenAiStrict.rewrite(&city()).unwrap());
    assert_eq!(functions[0]["parameters"]["required"], json!(["city", "days"]));
    assert_eq!(functions[0]["strict"], true);
    // It may have arguments of any names, which no strict schema says.
    let bare = json!({ "type": "object", "properties": {} });
    assert_eq!((&functions[1]["parameters"], &functions[1]["strict"]), (&bare, &json!(false)));
    assert_eq!(
        (&functions[2]["parameters"], &functions[2]["strict"]),
        (&any.schema.json, &json!(false))
    );
}

#[tokio::test]
async fn a_schema_that_another_dialect_can_not_express_is_an_error() {
    let wrong = tool(
        "wrong",
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/Gone" } } }),
    );
    let server = Server::start([Answer::completion("{}")]).await;
    let model = builder(&server.base_url).dialect(Dialect::LlamaCpp).build().unwrap();
    assert_eq!(model.tool_dialect(), Dialect::LlamaCpp);
    let error = model.reply(&ModelRequest::new("a").with_tools([wrong])).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Schema);
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn settings_about_tools_are_sent_with_tools_alone_and_never_replace_them() {
    let mut request = request();
    Arc::make_mut(&mut request.settings)
        .extra
        .insert("parallel_tool_calls".to_owned(), json!(false));
    Arc::make_mut(&mut request.settings).extra.insert("tool_choice".to_owned(), json!("required"));
    let body = sent(&request, |builder| builder).await;
    assert_eq!(
        (&body["parallel_tool_calls"], &body["tool_choice"]),
        (&json!(false), &json!("required"))
    );
    let mut without = request.clone();
    without.tools.clear();
    for body in [sent(&without, |b| b).await, sent(&request, |b| b.tool_calls(false)).await] {
        assert_eq!((body.get("parallel_tool_calls"), body.get("tool_choice")), (None, None));
        assert_eq!(body.get("tools"), None);
    }
    Arc::make_mut(&mut request.settings).extra.insert("tools".to_owned(), json!([]));
    let server = Server::start([Answer::completion("{}")]).await;
    let error = model(&server.base_url).reply(&request).await.unwrap_err();
    assert_eq!(error.to_string(), "`extra` must not contain `tools`, which the client sets");
}

#[tokio::test]
async fn calls_are_read_in_all_forms() {
    let paris = r#"{"city": "Paris"}"#;
    for (message, expected) in [
        (
            json!({ "content": null, "tool_calls": [called("a", "weather", json!(paris))] }),
            vec![("a", "weather", paris)],
        ),
        (
            json!({ "tool_calls": [called("a", "weather", json!(paris)), called("b", "now", json!("{}"))] }),
            vec![("a", "weather", paris), ("b", "now", "{}")],
        ),
        // An object instead of a string, no id, no arguments, a number as id, the same id twice.
        (
            json!({ "content": "", "tool_calls": [{ "function": { "name": "weather", "arguments": { "city": "Rome" } } }] }),
            vec![("", "weather", r#"{"city":"Rome"}"#)],
        ),
        (
            json!({ "tool_calls": [{ "id": 7, "index": 0, "function": { "name": "now", "arguments": "" } },
                                   { "id": 7, "index": 0, "function": { "name": "now" } }] }),
            vec![("7", "now", "{}"), ("7", "now", "{}")],
        ),
        // What the model made up is for the caller to answer.
        (
            json!({ "tool_calls": [called("a", "no such", json!("{\"a\": "))] }),
            vec![("a", "no such", "{\"a\": ")],
        ),
        (json!({ "content": "x", "tool_calls": [{ "function": null }, {}] }), vec![]),
        // The older API.
        (
            json!({ "content": null, "function_call": { "name": "now", "arguments": "{}" } }),
            vec![("", "now", "{}")],
        ),
        (json!({ "content": "x", "tool_calls": null, "function_call": null }), vec![]),
        (json!({ "content": "x", "tool_calls": [] }), vec![]),
    ] {
        let reply = replied(message.clone()).await;
        assert_eq!(calls(&reply), expected, "{message}");
        assert_eq!(reply.finish, FinishReason::Stop);
        assert_eq!(reply.usage.output_tokens, 7);
    }
    let reply =
        replied(json!({ "content": "I look.", "tool_calls": [called("a", "now", json!("{}"))] }))
            .await;
    assert_eq!(reply.text, "I look.");
    let refused = json!({ "refusal": "No.", "tool_calls": [called("a", "now", json!("{}"))] });
    let reply = replied(refused).await;
    assert_eq!(
        (reply.text.as_str(), reply.finish.clone(), calls(&reply)),
        ("No.", FinishReason::Refusal, vec![])
    );
}

#[tokio::test]
async fn calls_that_nobody_asked_for_are_not_read() {
    let message = json!({ "content": "Hi.", "tool_calls": [called("a", "now", json!("{}"))] });
    let server = Server::start([Answer::choice(message, "stop")]).await;
    let reply = crate::ask(&model(&server.base_url)).await.unwrap();
    assert_eq!((reply.text.as_str(), calls(&reply)), ("Hi.", vec![]));
}

#[tokio::test]
async fn odd_calls_are_errors_that_are_bounded() {
    for calls in [json!("weather"), json!([7]), json!({ "name": "x".repeat(100_000) })] {
        let server =
            Server::start([Answer::choice(json!({ "tool_calls": calls }), "tool_calls")]).await;
        let error = model(&server.base_url).reply(&request()).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol);
        assert!(error.to_string().len() < 1000, "{error}");
    }
}

#[tokio::test]
async fn many_calls_and_large_arguments_are_read() {
    let many = (0..500)
        .map(|n| called(&format!("call_{n}"), "weather", json!(format!("{{\"city\":\"{n}\"}}"))));
    let reply = replied(json!({ "tool_calls": many.collect::<Vec<_>>() })).await;
    assert_eq!(reply.tool_calls.len(), 500);
    assert_eq!(reply.tool_calls[499].arguments, r#"{"city":"499"}"#);
    let large = format!("{{\"city\":\"{}\"}}", "x".repeat(1 << 20));
    let reply = replied(json!({ "tool_calls": [called("a", "weather", json!(large))] })).await;
    assert_eq!(reply.tool_calls[0].arguments, large);
}

#[tokio::test]
async fn rounds_are_messages_with_calls_and_one_for_each_result() {
    let call = |id: &str, city: &str| ToolCall::new("weather", json!({ "city": city })).with_id(id);
    let rounds = [
        ToolRound::new(
            "I look.",
            vec![
                (call("a", "Paris"), ToolResult::ok(r#""rain""#)),
                (call("", "Rome"), ToolResult::error("no such city")),
            ],
        ),
        ToolRound::new("", vec![(call("a", "Oslo"), ToolResult::ok("1"))]),
    ];
    let request = request().with_rounds(rounds);
    let body = sent(&request, |builder| builder).await;
    let sent_call =
        |id: &str, city: &str| called(id, "weather", json!(format!("{{\"city\":\"{city}\"}}")));
    let expected = json!([
        { "role": "user", "content": "Add a field.\n\nAnswer in JSON." },
        { "role": "assistant", "content": "I look.", "tool_calls": [sent_call("a", "Paris"), sent_call("call00002", "Rome")] },
        { "role": "tool", "content": "\"rain\"", "tool_call_id": "a" },
        { "role": "tool", "content": "Error: no such city", "tool_call_id": "call00002" },
        { "role": "assistant", "content": null, "tool_calls": [sent_call("call00003", "Oslo")] },
        { "role": "tool", "content": "1", "tool_call_id": "call00003" },
    ]);
    assert_eq!(body["messages"], expected);
}

#[tokio::test]
async fn what_the_server_needs_to_see_again_is_sent_back_with_the_calls() {
    let extra = json!({ "google": { "thought_signature": "s" } });
    let mut first = called("a", "now", json!("{}"));
    first["extra_content"] = extra.clone();
    let message = json!({ "reasoning_content": "Hm.", "reasoning_details": [{ "type": "x" }], "reasoning": null,
                          "tool_calls": [first, called("b", "now", json!("{}"))] });
    let answers = [Answer::choice(message, "tool_calls"), Answer::completion("{}")];
    let server = Server::start(answers).await;
    let model = model(&server.base_url);
    let reply = model.reply(&request()).await.unwrap();
    let json = serde_json::to_string(&reply.tool_calls).unwrap();
    let kept: Vec<ToolCall> = serde_json::from_str(&json).unwrap();
    let calls = kept.into_iter().map(|call| (call, ToolResult::ok("12"))).collect();
    model.reply(&request().with_rounds([ToolRound::new(reply.text, calls)])).await.unwrap();
    let message = &server.asked()[1].body["messages"][1];
    assert_eq!(message["reasoning_content"], "Hm.");
    assert_eq!(message["reasoning_details"], json!([{ "type": "x" }]));
    assert_eq!(message.get("reasoning"), None);
    assert_eq!(message["tool_calls"][0]["extra_content"], extra);
    assert_eq!(message["tool_calls"][1], called("b", "now", json!("{}")));
}

#[tokio::test]
async fn what_another_server_issued_is_not_sent() {
    let extra = json!({ "google": { "thought_signature": "s" } });
    let mut first = called("a", "now", json!("{}"));
    first["extra_content"] = extra;
    let message = json!({ "reasoning_content": "Hm.", "tool_calls": [first] });
    let calls = replied(message).await.tool_calls;
    assert!(!calls[0].engine_data.is_null());
    let calls = calls.into_iter().map(|call| (call, ToolResult::ok("12"))).collect();
    let body = sent(&request().with_rounds([ToolRound::new("", calls)]), |builder| builder).await;
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [called("a", "now", json!("{}"))] });
    assert_eq!(body["messages"][1], message);
}

#[tokio::test]
async fn the_marks_of_a_prompt_cache_follow_the_rounds() {
    let mark = json!({ "type": "ephemeral" });
    let round = |n: usize| {
        let call = |id: String| (ToolCall::new("now", "{}").with_id(id), ToolResult::ok("12"));
        ToolRound::new("", vec![call(format!("{n}a")), call(format!("{n}b"))])
    };
    let marked = |body: &Value| -> Vec<String> {
        let messages = body["messages"].as_array().unwrap().iter();
        let parts =
            messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
        let marked = parts.filter(|part| part["cache_control"] == mark);
        marked.map(|part| part["text"].as_str().unwrap().to_owned()).collect()
    };
    let request = ModelRequest::new("What time is it?")
        .with_system("Be brief.")
        .with_tools([tool("now", city())]);
    let send = |builder: OpenAiBuilder| builder.cache_breakpoints(true);
    let first = sent(&request, send).await;
    assert_eq!(marked(&first), ["Be brief.", "What time is it?"]);
    let second = sent(&request.clone().with_rounds([round(1), round(2)]), send).await;
    assert_eq!(marked(&second), ["Be brief.", "What time is it?", "12"]);
    let last = second["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(last["content"], json!([{ "type": "text", "text": "12", "cache_control": mark }]));
    assert_eq!(last["tool_call_id"], "2b");
}
