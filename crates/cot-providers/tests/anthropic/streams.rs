//! Streamed replies.

use cot_model::{FinishReason, LanguageModel, ModelError, ModelErrorKind, ModelReply, Usage};
use serde_json::json;

use crate::{
    block, builder, end, event, plain, request, server::Server, sink::recording_sink, start,
    streamed, text,
};

async fn stream(events: &[String]) -> (Result<ModelReply, ModelError>, Vec<String>) {
    let server = Server::start([streamed(events)]).await;
    let (sink, record) = recording_sink();
    let model = builder(&server.base_url).max_retries(0).build().unwrap();
    let reply = model.stream(&request(), &sink).await;
    assert_eq!(server.asked()[0].body["stream"], true);
    (reply, record.pieces())
}

fn piece(text: &str) -> serde_json::Value {
    json!({ "type": "text_delta", "text": text })
}

#[tokio::test]
async fn thoughts_and_texts_are_handed_on_and_the_rest_is_left_out() {
    let thoughts = [
        json!({ "type": "thinking_delta", "thinking": "H" }),
        json!({ "type": "thinking_delta", "thinking": "m." }),
        json!({ "type": "signature_delta", "signature": "s" }),
    ];
    let query = [r#"{"que"#, r#"ry": "rain"}"#]
        .map(|it| json!({ "type": "input_json_delta", "partial_json": it }));
    let used =
        json!({ "type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {} });
    let found = json!({ "type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [] });
    let citation = json!({ "type": "citations_delta", "citation": { "url": "https://a.example" } });
    let (reply, pieces) = stream(&[
        start(),
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "" }), &thoughts),
        block(1, json!({ "type": "redacted_thinking", "data": "xyz" }), &[]),
        block(2, text("I "), &[piece("look. ")]),
        block(3, used, &query),
        block(4, found, &[]),
        block(
            5,
            json!({ "type": "compaction", "content": null }),
            &[json!({ "type": "compaction_delta", "content": "So far." })],
        ),
        event("kind_of_next_year", json!({ "text": "no" })),
        block(6, text(""), &[piece("It "), citation, piece("rains.")]),
        end("end_turn"),
    ])
    .await;
    let reply = reply.unwrap();
    assert_eq!((&*reply.text, &reply.finish), ("I look. It rains.", &FinishReason::Stop));
    assert_eq!(pieces, ["<thought>H", "<thought>m.", "I ", "look. ", "It ", "rains."]);
    assert_eq!(reply.usage, Usage::for_call(11, 7));
    assert_eq!(
        (reply.id.as_deref(), reply.model.as_deref()),
        (Some("msg_1"), Some("claude-tiny-1"))
    );
}

#[tokio::test]
async fn a_refusal_replaces_what_was_said_before() {
    let details = json!({ "type": "refusal", "explanation": "That is dangerous." });
    let delta = json!({ "stop_reason": "refusal", "stop_details": details });
    let refused =
        event("message_delta", json!({ "delta": delta, "usage": { "output_tokens": 7 } }));
    let (reply, pieces) =
        stream(&[start(), block(0, text(""), &[piece("First, ")]), refused]).await;
    let reply = reply.unwrap();
    assert_eq!((&*reply.text, reply.finish), ("That is dangerous.", FinishReason::Refusal));
    assert_eq!(pieces, ["First, ", "<restart>", "That is dangerous."]);
}

#[tokio::test]
async fn a_stream_without_its_end_is_an_error_that_passes() {
    let (reply, pieces) = stream(&[start(), block(0, text(""), &[piece("Lond")])]).await;
    let error = reply.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Connection);
    assert!(error.is_retryable());
    assert_eq!(pieces, ["Lond", "<restart>"]);
    // The input is known, and not what was written.
    let usage = error.usage().unwrap();
    assert_eq!((usage.input_tokens, usage.uncounted_calls), (11, 1));
    // The mark of the end is not the end.
    let stop = event("message_stop", json!({}));
    let (reply, _) = stream(&[start(), block(0, text(""), &[piece("Lond")]), stop]).await;
    assert_eq!(reply.unwrap_err().kind(), &ModelErrorKind::Connection);
}

#[tokio::test]
async fn events_that_are_not_in_the_protocol_are_errors() {
    let delta = |index: u64, delta: serde_json::Value| {
        event("content_block_delta", json!({ "index": index, "delta": delta }))
    };
    for odd in [
        delta(7, piece("Lond")),
        delta(0, json!({ "type": "text_delta", "text": 7 })),
        delta(0, json!("Lond")),
        event("content_block_start", json!({ "index": 1, "content_block": {} })),
        "data: {\"index\": 0}\n\n".to_owned(),
    ] {
        let begin = event("content_block_start", json!({ "index": 0, "content_block": text("") }));
        let (reply, _) = stream(&[start(), begin, odd.clone(), end("end_turn")]).await;
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{odd}: {error}");
        assert!(error.to_string().starts_with("expected a piece of a message, got: {"), "{error}");
    }
}

#[tokio::test]
async fn a_server_without_streams_sends_the_reply_in_one_piece() {
    let server = Server::start([plain("Paris")]).await;
    let (sink, record) = recording_sink();
    let model = builder(&server.base_url).build().unwrap();
    assert_eq!(model.stream(&request(), &sink).await.unwrap().text, "Paris");
    assert_eq!(record.pieces(), ["Paris"]);
}
