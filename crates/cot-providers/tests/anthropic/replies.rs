//! Replies in one piece.

use cot_model::{FinishReason, LanguageModel, ModelErrorKind, ModelRequest};
use serde_json::{Value, json};

use crate::{
    answer, builder, model, replied, said,
    server::{Answer, Server},
    text,
};

#[tokio::test]
async fn the_reasons_of_ends_are_read() {
    for (reason, finish) in [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("max_tokens", FinishReason::Length),
        ("model_context_window_exceeded", FinishReason::Length),
        ("refusal", FinishReason::Refusal),
    ] {
        let reply =
            replied(json!([text("Pa"), text("ris")]), reason, &ModelRequest::new("a")).await;
        assert_eq!((reply.text.as_str(), reply.finish), ("Paris", finish), "{reason}");
        assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (11, 7));
        assert_eq!(reply.id.as_deref(), Some("msg_1"));
        assert_eq!(reply.model.as_deref(), Some("claude-tiny-1"));
    }
}

#[tokio::test]
async fn the_explanation_of_a_refusal_is_its_text() {
    let mut body = said(&json!([text("First, ")]), "refusal");
    body["stop_details"] = json!({ "type": "refusal", "explanation": "That is dangerous." });
    let server = Server::start([Answer::json(200, &body)]).await;
    let reply = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap();
    assert_eq!((&*reply.text, reply.finish), ("That is dangerous.", FinishReason::Refusal));
}

#[tokio::test]
async fn what_tools_of_the_server_did_is_no_part_of_the_text() {
    let result = json!({ "type": "web_search_result", "url": "https://a.example", "title": "A" });
    let content = json!([
        { "type": "thinking", "thinking": "Hm.", "signature": "s" },
        { "type": "redacted_thinking", "data": "xyz" },
        text("I look. "),
        { "type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": { "query": "a" } },
        { "type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [result] },
        { "type": "mcp_tool_use", "id": "mcp_1", "name": "ask", "input": {} },
        { "type": "mcp_tool_result", "tool_use_id": "mcp_1", "content": [text("found")] },
        { "type": "compaction", "content": "So far: nothing." },
        { "type": "kind_of_next_year", "text": "no", "content": [] },
        { "type": "text", "text": "It rains.", "citations": [result] },
    ]);
    let reply = replied(content, "end_turn", &ModelRequest::new("a")).await;
    assert_eq!((&*reply.text, reply.tool_calls.len()), ("I look. It rains.", 0));
}

#[tokio::test]
async fn replies_that_are_none_are_errors() {
    let without = |name: &str| {
        let mut body = said(&json!([text("hi")]), "end_turn");
        body.as_object_mut().unwrap().shift_remove(name);
        Answer::json(200, &body)
    };
    let mut unknown = said(&json!([text("hi")]), "end_turn");
    unknown["stop_reason"] = "tired".into();
    for (answer, kind, shown) in [
        (without("content"), ModelErrorKind::Protocol, "expected a message, got other JSON: {"),
        (without("stop_reason"), ModelErrorKind::Connection, "ended before the reply did"),
        (Answer::json(200, &unknown), ModelErrorKind::Aborted, "for the reason `tired`"),
        (
            Answer::json(
                200,
                &json!({ "type": "error", "error": { "type": "overloaded_error", "message": "no" } }),
            ),
            ModelErrorKind::Status { code: 503, retry_after: None },
            "the server aborted the reply: no",
        ),
        (Answer::new(200, "{\"type\": \"mess"), ModelErrorKind::Connection, "the body ended"),
        (
            Answer::new(200, "[]"),
            ModelErrorKind::Protocol,
            "expected a message, got other JSON: []",
        ),
        (Answer::new(200, ""), ModelErrorKind::Protocol, "got other JSON or none"),
    ] {
        let server = Server::start([answer]).await;
        let model = builder(&server.base_url).max_retries(0).build().unwrap();
        let error = model.reply(&ModelRequest::new("a")).await.unwrap_err();
        assert_eq!(error.kind(), &kind, "{error}");
        assert!(error.to_string().contains(shown), "{error}");
    }
}

#[tokio::test]
async fn a_whole_reply_without_its_end_is_asked_for_again() {
    let mut cut = said(&json!([text("Lond")]), "end_turn");
    cut["stop_reason"] = Value::Null;
    let whole = answer(&json!([text("Paris")]), "end_turn");
    let server = Server::start([Answer::json(200, &cut), whole]).await;
    let reply = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap();
    assert_eq!((&*reply.text, server.asked().len()), ("Paris", 2));
    assert_eq!((reply.usage.calls, reply.usage.input_tokens), (1, 22));
}
