//! Tools in requests, calls in replies, and what is sent back with their results.

use std::sync::Arc;

use cot_model::{
    Effort, LanguageModel, ModelErrorKind, ModelReply, ModelRequest, ReplySchema, Tool, ToolCall,
    ToolResult, ToolRound,
};
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    answer, block, builder, end, model, plain, replied, sent,
    server::{Server, in_pieces},
    sink::recording_sink,
    start, streamed, text,
};

fn tool(name: &str, schema: Value) -> Tool {
    let schema = ReplySchema { name: name.to_owned(), json: schema };
    Tool::new(format!("Does {name}."), Arc::new(schema))
}

fn city() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string", "minLength": 1 } }, "required": ["city"] })
}

fn request() -> ModelRequest {
    crate::request().with_tools([tool("weather", city()), tool("now", json!({ "type": "object" }))])
}

fn used(id: &str, name: &str, input: Value) -> Value {
    json!({ "type": "tool_use", "id": id, "name": name, "input": input })
}

fn calls(reply: &ModelReply) -> Vec<(&str, &str, &str)> {
    let calls = reply.tool_calls.iter();
    calls.map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect()
}

/// The round of the calls in a reply, after they were stored.
fn round(reply: &ModelReply) -> ToolRound {
    let json = serde_json::to_string(&reply.tool_calls).unwrap();
    let kept: Vec<ToolCall> = serde_json::from_str(&json).unwrap();
    let calls = kept.into_iter().map(|call| (call, ToolResult::ok("12")));
    ToolRound::new(&*reply.text, calls.collect())
}

#[tokio::test]
async fn tools_are_sent_as_they_are_and_beside_the_format() {
    let body = sent(&request(), |builder| builder).await;
    let sent_tool = |name: &str, schema: Value| json!({ "name": name, "description": format!("Does {name}."), "input_schema": schema });
    let bare = json!({ "type": "object", "properties": {} });
    assert_eq!(body["tools"], json!([sent_tool("weather", city()), sent_tool("now", bare)]));
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    let model = model("http://127.0.0.1");
    assert_eq!((model.tool_dialect(), model.dialect()), (Dialect::Plain, Dialect::Anthropic));
}

#[tokio::test]
async fn the_choice_of_a_tool_is_only_sent_with_tools() {
    let mut request = request();
    let choice = json!({ "type": "any", "disable_parallel_tool_use": true });
    Arc::make_mut(&mut request.settings).extra.insert("tool_choice".to_owned(), choice.clone());
    assert_eq!(sent(&request, |builder| builder).await["tool_choice"], choice);
    request.tools.clear();
    assert_eq!(sent(&request, |builder| builder).await.get("tool_choice"), None);
}

#[tokio::test]
async fn calls_are_read_with_their_text() {
    let content = json!([
        text("I look."),
        used("a", "weather", json!({ "city": "Paris" })),
        used("b", "now", json!({}))
    ]);
    let reply = replied(content, "tool_use", &request()).await;
    assert_eq!(reply.text, "I look.");
    let expected = [("a", "weather", r#"{"city":"Paris"}"#), ("b", "now", "{}")];
    assert_eq!(calls(&reply), expected);
    assert!(reply.tool_calls.iter().all(|call| call.engine_data.is_null()));
    // Nobody asked for calls.
    let content = json!([text("Hi."), used("b", "now", json!({}))]);
    assert_eq!(calls(&replied(content, "tool_use", &crate::request()).await), []);
}

#[tokio::test]
async fn streamed_calls_are_read_from_their_pieces() {
    let piece = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
    let server = Server::start([streamed(&[
        start(),
        block(
            0,
            used("a", "weather", json!({})),
            &[piece(""), piece(r#"{"city": "#), piece(r#""Paris"}"#)],
        ),
        block(1, used("b", "now", json!({})), &[piece("")]),
        block(2, used("c", "weather", json!({})), &[piece(r#"{"city": 3"#)]),
        end("tool_use"),
    ])])
    .await;
    let (sink, record) = recording_sink();
    let reply = model(&server.base_url).stream(&request(), &sink).await.unwrap();
    // What is cut is for the caller to refuse.
    let expected = [
        ("a", "weather", r#"{"city": "Paris"}"#),
        ("b", "now", "{}"),
        ("c", "weather", r#"{"city": 3"#),
    ];
    assert_eq!(calls(&reply), expected);
    assert_eq!(record.pieces(), [""; 0]);
}

#[tokio::test]
async fn a_call_without_a_name_makes_the_reply_invalid() {
    let server = Server::start([answer(&json!([used("a", "", json!({}))]), "tool_use")]).await;
    let error = model(&server.base_url).reply(&request()).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Rejected);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn rounds_are_messages_of_calls_and_of_results() {
    let call = |id: &str, city: &str| ToolCall::new("weather", json!({ "city": city })).with_id(id);
    let rounds = [ToolRound::new(
        "I look.",
        vec![
            (call("a", "Paris"), ToolResult::ok(r#""rain""#)),
            (call("call.7:x", "Rome"), ToolResult::error("no such city")),
            (ToolCall::new("weather", "Oslo"), ToolResult::error("no JSON")),
        ],
    )];
    let body =
        sent(&request().with_rounds(rounds), |builder| builder.cache_breakpoints(false)).await;
    let result =
        |id: &str, text: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    let failed = |id: &str, text: &str| {
        let mut result = result(id, text);
        result["is_error"] = true.into();
        result
    };
    let said = json!([
        text("I look."),
        used("a", "weather", json!({ "city": "Paris" })),
        used("call_7_x", "weather", json!({ "city": "Rome" })),
        used("call00003", "weather", json!({ "invalid_arguments": "Oslo" })),
    ]);
    let results = json!([
        result("a", r#""rain""#),
        failed("call_7_x", "no such city"),
        failed("call00003", "no JSON")
    ]);
    assert_eq!(body["messages"][1], json!({ "role": "assistant", "content": said }));
    assert_eq!(body["messages"][2], json!({ "role": "user", "content": results }));
}

#[tokio::test]
async fn the_last_result_is_marked_for_the_cache() {
    let calls = vec![(ToolCall::new("now", "{}").with_id("a"), ToolResult::ok("12"))];
    let body = sent(&request().with_rounds([ToolRound::new("", calls)]), |builder| builder).await;
    assert_eq!(body["messages"][2]["content"][0]["cache_control"], json!({ "type": "ephemeral" }));
}

/// Blocks of all kinds around two calls.
fn thought() -> Vec<Value> {
    vec![
        json!({ "type": "thinking", "thinking": "Hm.", "signature": "s1" }),
        json!({ "type": "redacted_thinking", "data": "xyz" }),
        text("I look."),
        json!({ "type": "server_tool_use", "id": "srv", "name": "web_search", "input": { "query": "a" } }),
        json!({ "type": "web_search_tool_result", "tool_use_id": "srv", "content": [] }),
        json!({ "type": "thinking", "thinking": "", "signature": "s2" }),
        used("a", "weather", json!({ "city": "Paris" })),
        used("b", "now", json!({})),
    ]
}

/// The same blocks as a stream.
fn thought_events() -> Vec<String> {
    let piece = |kind: &str, name: &str, said: &str| json!({ "type": kind, name: said });
    let signed = |signature: &str| piece("signature_delta", "signature", signature);
    let blocks = thought();
    let events = blocks.iter().enumerate().map(|(at, said)| {
        let (mut begin, mut pieces) = (said.clone(), Vec::new());
        match said["type"].as_str().unwrap() {
            "thinking" => {
                begin = json!({ "type": "thinking", "thinking": "", "signature": "" });
                let thinking = said["thinking"].as_str().unwrap();
                pieces = vec![
                    piece("thinking_delta", "thinking", thinking),
                    signed(said["signature"].as_str().unwrap()),
                ];
            }
            "tool_use" | "server_tool_use" => {
                begin["input"] = json!({});
                pieces =
                    vec![piece("input_json_delta", "partial_json", &said["input"].to_string())];
            }
            _ => {}
        }
        block(u64::try_from(at).unwrap(), begin, &pieces)
    });
    [start()].into_iter().chain(events).chain([end("tool_use")]).collect()
}

#[tokio::test]
async fn thoughts_are_sent_back_as_they_were() {
    for reply in [answer(&thought().into(), "tool_use"), streamed(&thought_events())] {
        let server = Server::start([reply, plain("{}")]).await;
        let model = model(&server.base_url);
        let (sink, _) = recording_sink();
        let reply = model.stream(&request(), &sink).await.unwrap();
        assert_eq!((&*reply.text, reply.tool_calls.len()), ("I look.", 2));
        model.reply(&request().with_rounds([round(&reply)])).await.unwrap();
        let content = &server.asked()[1].body["messages"][1]["content"];
        assert_eq!(content, &Value::from(thought()));
    }
}

#[tokio::test]
async fn streams_are_read_however_they_are_cut() {
    for bytes in [1, 7, 4096] {
        let base_url = in_pieces(thought_events().concat().into_bytes(), bytes).await;
        let (sink, record) = recording_sink();
        let reply = model(&base_url).stream(&request(), &sink).await.unwrap();
        assert_eq!(calls(&reply), [("a", "weather", r#"{"city":"Paris"}"#), ("b", "now", "{}")]);
        let said: Value = reply.tool_calls[0].engine_data["message"].clone();
        assert_eq!(
            (said[0]["signature"].as_str(), said[6]["id"].as_str()),
            (Some("s1"), Some("a"))
        );
        assert_eq!(record.pieces(), ["<thought>Hm.", "I look."]);
    }
}

#[tokio::test]
async fn calls_that_the_program_changed_stand_in_the_places_of_the_old() {
    let server = Server::start([answer(&thought().into(), "tool_use"), plain("{}")]).await;
    let model = model(&server.base_url);
    let mut round = round(&model.reply(&request()).await.unwrap());
    round.calls[0].0.arguments = r#"{"city":"Rome"}"#.to_owned();
    round.calls[1].0 = ToolCall::new("now", "{}").with_id("other");
    model.reply(&request().with_rounds([round])).await.unwrap();
    let mut expected = thought();
    expected[6]["input"] = json!({ "city": "Rome" });
    expected[7] = used("other", "now", json!({}));
    assert_eq!(server.asked()[1].body["messages"][1]["content"], Value::from(expected));
}

#[tokio::test]
async fn another_engine_never_gets_the_signatures() {
    let server = Server::start([answer(&thought().into(), "tool_use")]).await;
    let reply = model(&server.base_url).reply(&request()).await.unwrap();
    let request = request().with_rounds([round(&reply)]);
    let other = Server::start([plain("{}")]).await;
    let same_server = builder(&server.base_url);
    let other_model = cot_providers::Anthropic::builder("claude-other").base_url(&server.base_url);
    for (model, server) in
        [(model(&other.base_url), &other), (other_model.build().unwrap(), &server)]
    {
        let _ = model.reply(&request).await;
        let body = server.asked().pop().unwrap().body;
        let content = &body["messages"][1]["content"];
        let calls = [used("a", "weather", json!({ "city": "Paris" })), used("b", "now", json!({}))];
        assert_eq!(content, &json!([text("I look."), calls[0], calls[1]]));
    }
    let _ = same_server.build().unwrap().reply(&request).await;
    assert_eq!(
        server.asked().last().unwrap().body["messages"][1]["content"],
        Value::from(thought())
    );
}

#[tokio::test]
async fn signatures_of_another_protocol_are_not_sent_either() {
    let chat =
        json!({ "message": { "reasoning_content": "Hm." }, "issuer": "https://a.example/m" });
    let call = ToolCall::new("now", "{}").with_id("a").with_engine_data(chat);
    let round = ToolRound::new("", vec![(call, ToolResult::ok("12"))]);
    let body = sent(&request().with_rounds([round]), |builder| builder).await;
    assert_eq!(body["messages"][1]["content"], json!([used("a", "now", json!({}))]));
}

#[tokio::test]
async fn thoughts_of_a_share_are_not_asked_for_after_a_turn_without_them() {
    let mut request = request();
    Arc::make_mut(&mut request.settings).effort = Some(Effort::Low);
    let call = ToolCall::new("now", "{}").with_id("a");
    let request = request.with_rounds([ToolRound::new("", vec![(call, ToolResult::ok("12"))])]);
    let refused = crate::failures::refused("adaptive thinking is not supported on this model");
    let server = Server::start([refused, plain("{}")]).await;
    model(&server.base_url).reply(&request).await.unwrap();
    let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
    assert_eq!(bodies[0]["thinking"], json!({ "type": "adaptive" }));
    assert_eq!(bodies[1].get("thinking"), None);
}
