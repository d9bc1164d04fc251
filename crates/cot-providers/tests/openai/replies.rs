//! Responses with status 200: the request, the parsed reply, and bodies that are not chat completions.

use std::sync::Arc;

use cot_model::{FinishReason, LanguageModel, ModelErrorKind, ModelRequest, Usage};
use cot_providers::{OpenAiCompatible, ResponseFormat};
use serde_json::{Value, json};

use crate::{
    KEY, ask, builder, model, request,
    server::{Answer, Server},
};

#[tokio::test]
async fn a_call_sends_the_request_and_reads_the_reply() {
    let server = Server::start([Answer::completion("Paris")]).await;
    let mut request = request().with_system("Be brief.");
    Arc::make_mut(&mut request.settings).temperature = Some(0.5);
    Arc::make_mut(&mut request.settings).max_tokens = Some(99);
    let reply = model(&server.base_url).reply(&request).await.unwrap();

    assert_eq!((reply.text.as_str(), reply.finish), ("Paris", FinishReason::Stop));
    assert_eq!(reply.usage, Usage::for_call(11, 7));
    let asked = &server.asked()[0];
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["content-type"], "application/json");
    let schema = json!({ "name": "add_field", "schema": { "type": "object" }, "strict": false });
    let expected = json!({
        "model": "tiny",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Add a field." },
        ],
        "temperature": 0.5,
        "max_tokens": 99,
        "response_format": { "type": "json_schema", "json_schema": schema },
    });
    assert_eq!(asked.body, expected);
}

#[tokio::test]
async fn what_a_request_lacks_is_not_sent() {
    let server = Server::start([Answer::completion("hi")]).await;
    let model = OpenAiCompatible::builder(&server.base_url, "tiny");
    let request = ModelRequest::new("Say hi.").append_format("\nAs text.");
    model.build().unwrap().reply(&request).await.unwrap();

    let asked = &server.asked()[0];
    assert!(!asked.headers.contains_key("authorization"));
    let message = json!({ "role": "user", "content": "Say hi.\nAs text." });
    assert_eq!(asked.body, json!({ "model": "tiny", "messages": [message] }));
}

#[tokio::test]
async fn the_format_is_explained_where_the_server_does_not_get_the_schema() {
    let server = Server::start([Answer::completion("{}")]).await;
    let explained = "Add a field.\n\nAnswer in JSON.";
    for (format, explain, prompt, sent) in [
        (ResponseFormat::JsonSchema, false, "Add a field.", json!("json_schema")),
        (ResponseFormat::JsonSchema, true, explained, json!("json_schema")),
        (ResponseFormat::JsonObject, false, explained, json!("json_object")),
        (ResponseFormat::PromptOnly, false, explained, Value::Null),
    ] {
        let model = builder(&server.base_url).response_format(format).explain_format(explain);
        ask(&model.build().unwrap()).await.unwrap();
        let body = server.asked().pop().unwrap().body;
        assert_eq!(body["messages"][0]["content"], prompt, "{format:?}");
        assert_eq!(body["response_format"]["type"], sent, "{format:?}");
    }
}

#[tokio::test]
async fn the_format_is_explained_to_a_server_that_may_hide_the_schema() {
    let server = Server::start([Answer::completion("{}")]).await;
    ask(&OpenAiCompatible::builder(&server.base_url, "tiny").build().unwrap()).await.unwrap();
    let body = server.asked().pop().unwrap().body;
    assert_eq!(body["messages"][0]["content"], "Add a field.\n\nAnswer in JSON.");
    assert_eq!(body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn a_model_stops_for_different_reasons() {
    for (message, reason, text, finish) in [
        (json!({ "content": "{\"a\"" }), "length", "{\"a\"", FinishReason::Length),
        (json!({ "content": null }), "length", "", FinishReason::Length),
        (json!({ "content": null, "reasoning_content": "hmm" }), "stop", "", FinishReason::Stop),
        (json!({}), "stop", "", FinishReason::Stop),
        (json!({ "content": null, "refusal": "No." }), "stop", "No.", FinishReason::Refusal),
        (json!({ "content": "Well" }), "content_filter", "Well", FinishReason::Refusal),
        (json!({}), "content_filter", "", FinishReason::Refusal),
        (json!({ "content": "", "refusal": "" }), "stop", "", FinishReason::Stop),
        (json!({ "content": "a" }), "eos_token", "a", FinishReason::Stop),
    ] {
        let server = Server::start([Answer::choice(message.clone(), reason)]).await;
        let reply = ask(&model(&server.base_url)).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), (text, finish), "{message} {reason}");
        assert_eq!(reply.usage, Usage::for_call(11, 7), "{message} {reason}");
    }
}

#[tokio::test]
async fn content_in_parts_is_joined() {
    let thought = json!({ "type": "thinking", "thinking": [{ "type": "text", "text": "hmm" }] });
    let text = |text: &str| json!({ "type": "text", "text": text });
    for (parts, expected) in [
        (json!([thought, text("{\"a\""), text(": 1}")]), "{\"a\": 1}"),
        (json!([thought, { "type": "text", "text": null }]), ""),
        (json!([]), ""),
    ] {
        let server = Server::start([Answer::choice(json!({ "content": parts }), "stop")]).await;
        let reply = ask(&model(&server.base_url)).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), (expected, FinishReason::Stop));
    }
}

#[tokio::test]
async fn what_is_not_a_chat_completion_is_a_protocol_error_that_shows_it() {
    let json = |body: Value| Answer::json(200, &body);
    let bytes = |body: &[u8]| Answer::new(200, body).with("content-type", "application/json");
    for (answer, shown) in [
        (json(json!({ "what": 1 })), "got other JSON: {\"what\":1}"),
        (json(json!({ "choices": [{ "finish_reason": "stop" }] })), "got other JSON"),
        (json(json!({ "choices": [{ "message": null }] })), "got other JSON"),
        (Answer::choice(json!({ "content": [1] }), "stop"), "got other JSON"),
        (bytes(b"{\"choices\": [}"), "line 1, column 14"),
        (bytes(b""), "nothing"),
        (bytes(b"{\"choices\": \"\xff\xfe\"}"), "UTF-8"),
        (Answer::new(200, "<html>").with("content-type", "text/html"), "got `text/html`: <html>"),
        (Answer::new(204, ""), "nothing"),
    ] {
        let server = Server::start([answer]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{error}");
        assert!(
            error.to_string().starts_with("expected ") && error.to_string().contains(shown),
            "{error}"
        );
        assert_eq!(server.asked().len(), 1, "a protocol error is not tried again");
    }
}

#[tokio::test]
async fn a_long_answer_is_quoted_briefly() {
    let text = "x".repeat(100_000);
    for answer in [
        Answer::new(200, text.clone()).with("content-type", "application/json"),
        Answer::new(200, text.clone()).with("content-type", "text/plain"),
        Answer::new(400, text.clone()),
        Answer::failure(400, &text),
    ] {
        let server = Server::start([answer]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        assert!(error.to_string().len() < 500, "{error}");
    }
}
