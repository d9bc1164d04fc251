//! Streamed replies: the request, the pieces, and the parsed reply.

use cot_model::{FinishReason, LanguageModel, ModelError, ModelErrorKind, ModelReply, Usage};
use cot_providers::OpenAiCompatible;
use serde_json::{Value, json};

use crate::{
    KEY, ask, model, request,
    server::{Answer, Server},
    sink::{Record, recording_sink},
    status,
};

/// The data of an event with a piece of text.
pub(crate) fn text(text: &str) -> String {
    piece(json!({ "content": text }), None)
}

/// The data of the event that ends a reply.
pub(crate) fn end(reason: &str) -> String {
    piece(json!({}), Some(reason))
}

/// The data of any event.
pub(crate) fn piece(delta: Value, reason: Option<&str>) -> String {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    json!({ "id": "chat-1", "choices": [choice], "usage": null }).to_string()
}

fn usage() -> String {
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
    json!({ "id": "chat-1", "choices": [], "usage": usage }).to_string()
}

pub(crate) async fn stream(model: &OpenAiCompatible) -> (Result<ModelReply, ModelError>, Record) {
    let (sink, record) = recording_sink();
    (model.stream(&request(), &sink).await, record)
}

#[tokio::test]
async fn a_stream_is_asked_for_handed_on_and_read() {
    let hello = piece(json!({ "role": "assistant", "content": "" }), None);
    let events = [&hello, &text("Pa"), &text("ris"), &end("stop"), &usage(), "[DONE]"];
    let server = Server::start([Answer::events(events)]).await;
    let (reply, record) = stream(&model(&server.base_url)).await;

    let expected = ModelReply::new("Paris").id("chat-1").usage(Usage::for_call(11, 7));
    assert_eq!(reply.unwrap(), expected);
    assert_eq!(record.pieces(), ["Pa", "ris"]);
    let asked = &server.asked()[0];
    assert_eq!(asked.body["stream"], true);
    assert_eq!(asked.body["stream_options"], json!({ "include_usage": true }));
    assert_eq!(asked.body["response_format"]["type"], "json_schema");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert!(asked.headers["accept"].to_str().unwrap().starts_with("text/event-stream"));
}

#[tokio::test]
async fn streams_end_for_different_reasons() {
    let refuse = |text: &str| piece(json!({ "refusal": text }), None);
    let parts = json!([{ "type": "thinking" }, { "type": "text", "text": "Pa" }]);
    let parts = piece(json!({ "content": parts }), None);
    let thought = piece(json!({ "content": null, "reasoning_content": "hmm" }), None);
    let (stop, length, filtered) = (end("stop"), end("length"), end("content_filter"));
    for (events, said, finish, pieces) in [
        (vec![text("{\"a"), length.clone()], "{\"a", FinishReason::Length, &["{\"a"][..]),
        (vec![thought.clone(), length], "", FinishReason::Length, &["<thought>hmm"]),
        (vec![thought, parts, stop.clone()], "Pa", FinishReason::Stop, &["<thought>hmm", "Pa"]),
        (vec![text("Well"), filtered], "Well", FinishReason::Refusal, &["Well"]),
        (vec![refuse("No"), refuse("."), stop.clone()], "No.", FinishReason::Refusal, &["No", "."]),
        (
            vec![text("We"), refuse("No"), text("ll"), stop],
            "No",
            FinishReason::Refusal,
            &["We", "<restart>", "No"],
        ),
    ] {
        let server = Server::start([Answer::events(&events)]).await;
        let (reply, record) = stream(&model(&server.base_url)).await;
        let reply = reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), (said, finish), "{events:?}");
        assert_eq!(record.pieces(), pieces, "{events:?}");
    }
}

#[tokio::test]
async fn thoughts_are_handed_on_and_are_no_part_of_the_reply() {
    let think = |name: &str, thought: &str| piece(json!({ name: thought }), None);
    let both = json!({ "reasoning_content": "b", "reasoning": "b", "content": "P" });
    let odd = json!({ "reasoning": { "text": "c" }, "reasoning_content": 7, "content": "a" });
    let empty = json!({ "reasoning_content": "", "reasoning": "d", "content": null });
    let events = [
        think("reasoning_content", "h"),
        think("reasoning", "m"),
        piece(both, None),
        piece(odd, None),
        piece(empty, None),
        piece(json!({ "reasoning": null, "content": "ris" }), None),
        end("stop"),
    ];
    let server = Server::start([Answer::events(events)]).await;
    let (reply, record) = stream(&model(&server.base_url)).await;
    assert_eq!(reply.unwrap().text, "Paris");
    let expected = ["<thought>h", "<thought>m", "<thought>b", "P", "a", "<thought>d", "ris"];
    assert_eq!(record.pieces(), expected);
}

#[tokio::test]
async fn thoughts_of_a_failed_stream_are_void_and_count_towards_the_limit() {
    let thought = |thought: &str| piece(json!({ "reasoning_content": thought }), None);
    let failure = json!({ "error": { "message": "no room", "code": 503 } }).to_string();
    let failed = Answer::events([thought("hm"), failure]);
    let server = Server::start([failed, Answer::events([text("a"), end("stop")])]).await;
    let (reply, record) = stream(&model(&server.base_url)).await;
    assert_eq!(reply.unwrap().text, "a");
    assert_eq!(record.pieces(), ["<thought>hm", "<restart>", "a"]);

    let long = Answer::events([thought(&"x".repeat(600)), thought(&"x".repeat(600)), end("stop")]);
    let server = Server::start([long]).await;
    let model = crate::builder(&server.base_url).max_body_bytes(1000).build().unwrap();
    let error = stream(&model).await.0.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::TooLarge);
}

#[tokio::test]
async fn streams_of_all_sorts_are_read() {
    let (a, b, stop, usage) = (text("a"), text("b"), end("stop"), usage());
    let typed = |body: String| Answer::new(200, body).with("content-type", "text/event-stream");
    for (what, body) in [
        ("CRLF", format!("data: {a}\r\n\r\ndata: {b}\r\n\r\ndata: {stop}\r\n\r\n")),
        ("comments", format!(": ping\n\ndata: {a}\n\n:\n\ndata: {b}\n\ndata: {stop}\n\n: x\n\n")),
        ("fields", format!("id: 1\nevent: x\ndata:{a}\n\ndata: {b}\n\ndata:{stop}\n\n")),
        (
            "lines",
            format!("data: {a}\n\ndata: {}\n\ndata: {stop}\n\n", b.replace(',', ",\ndata: ")),
        ),
        ("empty data", format!("data:\n\ndata: {a}\n\ndata: {b}\n\ndata: {stop}\n\n")),
        (
            "others",
            format!("data: {{\"type\":\"ping\"}}\n\ndata: {a}\n\ndata: {b}\n\ndata: {stop}\n\n"),
        ),
        ("no last line", format!("data: {a}\n\ndata: {b}\n\ndata: {stop}")),
        (
            "a cut usage",
            format!("data: {a}\n\ndata: {b}\n\ndata: {stop}\n\ndata: {}", &usage[..30]),
        ),
        (
            "more after the end",
            format!("data: {a}\n\ndata: {b}\n\ndata: {stop}\n\ndata: [DONE]\n\ndata: oops\n\n"),
        ),
    ] {
        let server = Server::start([typed(body)]).await;
        let (reply, record) = stream(&model(&server.base_url)).await;
        let reply = reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("ab", FinishReason::Stop), "{what}");
        assert_eq!(record.pieces(), ["a", "b"], "{what}");
        assert_eq!(server.asked().len(), 1, "{what}");
    }
}

#[tokio::test]
async fn a_stream_without_a_choice_is_cut_off() {
    for events in [vec!["[DONE]".to_owned()], vec![usage(), "[DONE]".to_owned()]] {
        let server = Server::start([Answer::events(events)]).await;
        let error = stream(&model(&server.base_url)).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Connection, "{error}");
    }
}

#[tokio::test]
async fn a_server_that_ignores_streaming_gives_its_reply_in_one_piece() {
    let server = Server::start([Answer::completion("Paris")]).await;
    let (reply, record) = stream(&model(&server.base_url)).await;
    assert_eq!(reply.unwrap().usage, Usage::for_call(11, 7));
    assert_eq!(record.pieces(), ["Paris"]);
}

#[tokio::test]
async fn a_server_that_refuses_to_stream_is_asked_whole_from_then_on() {
    let refusal = Answer::failure(400, "'stream' does not support true with this model");
    let server = Server::start([refusal, Answer::completion("{}")]).await;
    let model = model(&server.base_url);
    for _ in 0..2 {
        let (reply, record) = stream(&model).await;
        assert_eq!((reply.unwrap().text.as_str(), record.pieces()), ("{}", vec!["{}".to_owned()]));
    }
    assert_eq!(sent(&server, "stream"), [json!(true), Value::Null, Value::Null]);
    let formats = sent(&server, "response_format");
    assert!(formats.iter().all(|format| format["type"] == "json_schema"), "{formats:?}");
}

#[tokio::test]
async fn a_server_that_refuses_to_count_streams_uncounted_from_then_on() {
    for code in [400, 422] {
        let refusal = Answer::failure(code, "extra field: stream_options");
        let events = Answer::events([text("a"), end("stop")]);
        let server = Server::start([refusal, events]).await;
        let model = model(&server.base_url);
        for _ in 0..2 {
            let expected = ModelReply::new("a").id("chat-1").usage(Usage::uncounted_call());
            assert_eq!(stream(&model).await.0.unwrap(), expected);
        }
        let counted = json!({ "include_usage": true });
        assert_eq!(sent(&server, "stream_options"), [counted, Value::Null, Value::Null]);
        assert_eq!(sent(&server, "stream"), [true, true, true]);
    }
}

#[tokio::test]
async fn a_refusal_that_no_other_way_mends_is_told() {
    let server = Server::start([Answer::failure(400, "no streaming, and no money")]).await;
    let model = model(&server.base_url);
    let (reply, record) = stream(&model).await;
    assert_eq!(status(&reply.unwrap_err()), Some(400));
    assert!(record.pieces().is_empty());
    assert_eq!(sent(&server, "stream"), [json!(true), Value::Null]);
    ask(&model).await.unwrap_err();
    stream(&model).await.0.unwrap_err();
    assert_eq!(sent(&server, "stream")[2..], [Value::Null, json!(true), Value::Null]);
}

#[tokio::test]
async fn what_is_no_stream_of_a_chat_completion_is_a_protocol_error_that_shows_it() {
    let typed = |body: &[u8]| Answer::new(200, body).with("content-type", "text/event-stream");
    for (answer, shown) in [
        (Answer::events([text("a").as_str(), "oops", &end("stop")]), "completion, got: oops"),
        (Answer::events(["[1]"]), "got: [1]"),
        (Answer::events(["{\"choices\": [{\"delta\": 1}]}"]), "got: {\"choices\""),
        (typed(b"data: {\"choices\": [{\"finish_reason\": \"\xff\"}]}\n\n"), "\u{fffd}"),
        (Answer::new(200, "<html>").with("content-type", "text/html"), "got `text/html`: <html>"),
        (Answer::events([format!("no {KEY}")]), "got: no [secret]"),
    ] {
        let server = Server::start([answer]).await;
        let error = stream(&model(&server.base_url)).await.0.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{error}");
        let message = error.to_string();
        assert!(message.starts_with("expected ") && message.contains(shown), "{message}");
        assert_eq!(server.asked().len(), 1, "a protocol error is not tried again");
    }
}

/// The value of a member of each request.
fn sent(server: &Server, name: &str) -> Vec<Value> {
    server.asked().into_iter().map(|asked| asked.body[name].clone()).collect()
}
