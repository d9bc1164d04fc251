//! Replies in one piece and in streams: texts, stop reasons, refusals, usage, and invalid replies.

use cot_model::{FinishReason, LanguageModel, ModelErrorKind, ModelReply, Usage};
use cot_providers::GenAi;
use serde_json::{Value, json};

use crate::{
    KEY, builder,
    completions::{chunk, data},
    protocols::{anthropic_end, anthropic_start, event, line, protocols, response, wires},
    request,
    server::{Answer, Server},
    sink::recording_sink,
};

fn model(name: &str, server: &Server) -> GenAi {
    builder(name, &server.base_url).build().unwrap()
}

fn typed(body: String) -> Answer {
    Answer::new(200, body).with("content-type", "text/event-stream")
}

/// Sends a request that gets this answer. Returns the reply and its streamed pieces.
async fn streamed(name: &str, body: String) -> (ModelReply, Vec<String>) {
    let server = Server::start([typed(body)]).await;
    let (sink, record) = recording_sink();
    let reply = model(name, &server).stream(&request(), &sink).await.unwrap();
    (reply, record.pieces())
}

/// Removes the id and the model, which not all protocols tell.
fn without_names(mut reply: ModelReply) -> ModelReply {
    (reply.id, reply.model) = (None, None);
    reply
}

#[tokio::test]
async fn replies_in_one_piece_are_read() {
    for protocol in protocols() {
        for (reason, finish) in [
            (protocol.stop, FinishReason::Stop),
            (protocol.length, FinishReason::Length),
            (protocol.filtered, FinishReason::Refusal),
        ] {
            let server = Server::start([(protocol.whole)("Paris, né €😀", reason)]).await;
            let reply = model(protocol.model, &server).reply(&request()).await.unwrap();
            let reply = without_names(reply);
            let expected = ModelReply::new("Paris, né €😀").usage(Usage::for_call(11, 7));
            assert_eq!(reply, expected.finish(finish), "{} {reason}", protocol.name);
        }
    }
}

#[tokio::test]
async fn streams_end_for_different_reasons() {
    for protocol in protocols() {
        let wire = wires().into_iter().find(|wire| wire.name == protocol.name).unwrap();
        for (reason, finish) in [
            (protocol.stop, FinishReason::Stop),
            (protocol.length, FinishReason::Length),
            (protocol.filtered, FinishReason::Refusal),
        ] {
            let body = format!("{}{}{}", wire.start, (wire.text)("Pa"), (protocol.end)(reason));
            let (reply, pieces) = streamed(protocol.model, body).await;
            let reply = without_names(reply);
            let expected = ModelReply::new("Pa").usage(Usage::for_call(11, 7));
            assert_eq!(reply, expected.finish(finish), "{} {reason}", protocol.name);
            assert_eq!(pieces, ["Pa"], "{} {reason}", protocol.name);
        }
    }
}

#[tokio::test]
async fn reasons_that_end_no_reply_are_errors() {
    use ModelErrorKind::{Aborted, Rejected};
    for (at, reason, kind) in [
        (0, "pause_turn", Aborted),
        (1, "MALFORMED_FUNCTION_CALL", Rejected),
        (1, "OTHER", Aborted),
        (2, "error", Aborted),
    ] {
        let protocol = &protocols()[at];
        let server = Server::start([(protocol.whole)("Pa", reason)]).await;
        let error = model(protocol.model, &server).reply(&request()).await.unwrap_err();
        assert_eq!(error.kind(), &kind);
        assert!(error.to_string().contains(&format!("for the reason `{reason}`")), "{error}");
    }
}

#[tokio::test]
async fn refusals_in_words_of_their_own_take_the_place_of_the_text() {
    let part = json!({ "type": "refusal", "refusal": "No." });
    let output = json!([{ "type": "message", "role": "assistant", "content": [part] }]);
    for (name, answer) in [
        ("openai::tiny", Answer::choice(json!({ "content": null, "refusal": "No." }), "stop")),
        ("openai_resp::tiny", Answer::json(200, &response("completed", output))),
    ] {
        let server = Server::start([answer]).await;
        let reply = model(name, &server).reply(&request()).await.unwrap();
        assert_eq!((&*reply.text, reply.finish), ("No.", FinishReason::Refusal), "{name}");
        assert_eq!(reply.usage, Usage::for_call(11, 7), "{name}");
    }
}

#[tokio::test]
async fn streamed_refusals_take_the_place_of_the_text() {
    let refusal = |text: &str| chunk(&json!({ "refusal": text }), None);
    let (text, stop) = (chunk(&json!({ "content": "We" }), None), chunk(&json!({}), Some("stop")));
    let body = format!("{text}{}{}{stop}data: [DONE]\n\n", refusal("N"), refusal("o"));
    let (reply, pieces) = streamed("openai::tiny", body).await;
    assert_eq!((&*reply.text, reply.finish), ("No", FinishReason::Refusal));
    assert_eq!(pieces, ["We", "<restart>", "N", "o"]);

    let refusal = |text: &str| event("response.refusal.delta", json!({ "delta": text }));
    let completed = json!({ "response": response("completed", json!([])) });
    let body =
        format!("{}{}{}", refusal("N"), refusal("o"), event("response.completed", completed));
    let (reply, pieces) = streamed("openai_resp::tiny", body).await;
    assert_eq!((&*reply.text, reply.finish), ("No", FinishReason::Refusal));
    assert_eq!(pieces, ["N", "o"]);
}

#[tokio::test]
async fn blocked_prompts_are_refusals() {
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 11, "totalTokenCount": 11 } });
    let refused = ModelReply::new("").finish(FinishReason::Refusal);
    let refused = refused.usage(Usage::for_call(11, 0));
    let mut empty = blocked.clone();
    empty["candidates"] = json!([]);
    for said in [blocked, empty] {
        let server = Server::start([Answer::json(200, &said)]).await;
        let reply = model("gemini::tiny", &server).reply(&request()).await.unwrap();
        assert_eq!(reply, refused, "{said}");
        assert_eq!(streamed("gemini::tiny", data(&said)).await.0, refused, "{said}");
    }

    let mut cut = response("incomplete", json!([]));
    cut["incomplete_details"] = json!({ "reason": "content_filter" });
    let server = Server::start([Answer::json(200, &cut)]).await;
    let reply = model("openai_resp::tiny", &server).reply(&request()).await.unwrap();
    assert_eq!(reply.finish, FinishReason::Refusal);
    let body = event("response.incomplete", json!({ "response": cut }));
    assert_eq!(streamed("openai_resp::tiny", body).await.0.finish, FinishReason::Refusal);
}

#[tokio::test]
async fn thoughts_are_no_part_of_a_reply() {
    let thinking = json!({ "index": 0, "content_block": { "type": "thinking", "thinking": "" } });
    let delta = json!({ "type": "thinking_delta", "thinking": "hmm" });
    let delta = json!({ "index": 0, "delta": delta });
    let text = json!({ "index": 1, "delta": { "type": "text_delta", "text": "Paris" } });
    let body = [
        event("content_block_start", thinking),
        event("content_block_delta", delta),
        anthropic_start(),
        event("content_block_delta", text),
        anthropic_end("end_turn"),
    ];
    assert_eq!(streamed("anthropic::tiny", body.concat()).await.0.text, "Paris");

    let thought = json!({ "content": [
        { "type": "thinking", "thinking": "hmm", "signature": "s" },
        { "type": "text", "text": "Pa" }, { "type": "text", "text": "ris" },
    ], "stop_reason": "end_turn", "usage": {} });
    let server = Server::start([Answer::json(200, &thought)]).await;
    let reply = model("anthropic::tiny", &server).reply(&request()).await.unwrap();
    assert_eq!(reply, ModelReply::new("Paris").usage(Usage::uncounted_call()));
}

#[tokio::test]
async fn what_is_no_reply_is_a_protocol_error_that_shows_it() {
    let secret = json!({ "what": format!("no {KEY}") });
    let json = |body: &Value| Answer::json(200, body);
    for protocol in protocols() {
        for (answer, shown) in [
            (json(&secret), "[secret]"),
            (json(&json!({})), ""),
            (json(&json!([1])), ""),
            (Answer::new(200, "{a}").with("content-type", "application/json"), "got: {a}"),
            (Answer::new(200, "").with("content-type", "application/json"), "got: nothing"),
            (Answer::new(200, "<html>").with("content-type", "text/html"), "`text/html`: <html>"),
            (Answer::new(200, "no content type"), "no content type"),
        ] {
            let server = Server::start([answer]).await;
            let error = model(protocol.model, &server).reply(&request()).await.unwrap_err();
            let message = error.to_string();
            assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{}: {message}", protocol.name);
            assert!(message.starts_with("expected "), "{}: {message}", protocol.name);
            assert!(message.contains(shown), "{}: {message}", protocol.name);
            assert_eq!(server.asked().len(), 1, "a protocol error is not tried again");
        }
    }
}

#[tokio::test]
async fn a_text_that_is_none_is_a_protocol_error() {
    let odd = |delta: Value| chunk(&delta, None) + &chunk(&json!({}), Some("stop"));
    let piece = event("response.output_text.delta", json!({ "delta": 1 }));
    let completed = json!({ "response": response("completed", json!([])) });
    for (name, body) in [
        ("openai::tiny", odd(json!({ "content": 1 })) + "data: [DONE]\n\n"),
        ("openai_resp::tiny", piece + &event("response.completed", completed)),
        ("ollama_cloud::tiny", line("", Some("stop")).replace("\"\"", "1")),
        ("anthropic::tiny", event("content_block_delta", json!({ "delta": { "text": 1 } }))),
    ] {
        let server = Server::start([typed(body)]).await;
        let (sink, _) = recording_sink();
        let error = model(name, &server).stream(&request(), &sink).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{name}: {error}");
    }
    let server = Server::start([Answer::choice(json!({ "content": 1 }), "stop")]).await;
    let error = model("openai::tiny", &server).reply(&request()).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Protocol, "{error}");
}

#[tokio::test]
async fn an_error_of_status_200_is_told() {
    for protocol in protocols() {
        let error =
            json!({ "type": "error", "error": { "message": "no room", "type": "overloaded" } });
        let server = Server::start([Answer::json(200, &error)]).await;
        let builder = builder(protocol.model, &server.base_url).max_retries(0);
        let error = builder.build().unwrap().reply(&request()).await.unwrap_err();
        let message = "the server aborted the reply: no room";
        assert_eq!(error.to_string(), message, "{}", protocol.name);
    }
}

#[tokio::test]
async fn a_reply_in_one_piece_is_no_stream() {
    let server = Server::start([Answer::completion("Paris")]).await;
    let model = builder("openai::tiny", &server.base_url).max_retries(1).build().unwrap();
    let (sink, record) = recording_sink();
    let error = model.stream(&request(), &sink).await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Connection);
    assert!(error.to_string().ends_with("ended before the reply did (tried 2 times)"), "{error}");
    assert!(record.pieces().is_empty());
}

#[tokio::test]
async fn numbers_that_are_too_large_are_no_panic() {
    let usage =
        json!({ "input_tokens": i32::MAX, "cache_read_input_tokens": 1, "output_tokens": 1 });
    let content = json!([{ "type": "text", "text": "a" }]);
    let body = json!({ "content": content, "stop_reason": "end_turn", "usage": usage });
    let server = Server::start([Answer::json(200, &body)]).await;
    // An error where overflow is checked; elsewhere the count is meaningless.
    match model("anthropic::tiny", &server).reply(&request()).await {
        Ok(reply) => assert_eq!(reply.text, "a"),
        Err(error) => assert_eq!(error.kind(), &ModelErrorKind::Other),
    }
}

#[tokio::test]
async fn a_reply_longer_than_the_limit_is_refused() {
    for protocol in protocols() {
        let server = Server::start([(protocol.whole)(&"x".repeat(101), protocol.stop)]).await;
        let builder = builder(protocol.model, &server.base_url).max_reply_bytes(100);
        let error = builder.build().unwrap().reply(&request()).await.unwrap_err();
        assert_eq!(error.kind(), &ModelErrorKind::TooLarge, "{}", protocol.name);
    }
}
