//! `Anthropic` against servers on this machine.
//!
//! No assertion depends on time: delays are a millisecond, and the tests assert how often a server was
//! called, the requests, and the kind of error.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod failures;
#[path = "../shared/matrix.rs"]
mod matrix;
mod messages;
#[path = "../shared/parts.rs"]
mod parts;
mod pauses;
#[path = "../shared/recorded.rs"]
mod recorded;
mod replies;
#[path = "../shared/server.rs"]
mod server;
mod settings;
#[path = "../shared/sink.rs"]
mod sink;
mod streams;
mod tools;
mod usage;
#[path = "../shared/wire.rs"]
mod wire;

use std::time::Duration;

use cot_model::{LanguageModel, ModelReply, ModelRequest, ReplySchema};
use cot_providers::{Anthropic, AnthropicBuilder};
use serde_json::{Value, json};

use crate::{
    server::{Answer, Server},
    wire::Wire,
};

const KEY: &str = "sk-ant-very-secret-0123456789";

/// A builder with a key and negligible delays.
/// Like the vendor's own server, which shows the schema to its model.
fn builder(base_url: &str) -> AnthropicBuilder {
    let pause = Duration::from_millis(1);
    let builder = Anthropic::builder("claude-tiny").base_url(base_url).explain_format(false);
    builder.key(KEY).backoff(pause, pause)
}

fn model(base_url: &str) -> Anthropic {
    builder(base_url).build().unwrap()
}

/// The exchanges of this protocol that the client does not read: none.
const UNREAD: [&str; 0] = [];

/// A model for exchanges in a protocol; `None` if this client has another one.
fn recorded_model(protocol: &str, base_url: &str) -> Option<Box<dyn LanguageModel>> {
    let base_url = if base_url.is_empty() { "http://127.0.0.1" } else { base_url };
    let model = builder(base_url).max_retries(0).build().unwrap();
    (protocol == "messages").then(|| Box::new(model) as Box<dyn LanguageModel>)
}

/// A request with all optional parts.
fn request() -> ModelRequest {
    let mut request = ModelRequest::new("Add a field.").append_format("\n\nAnswer in JSON.");
    let schema = ReplySchema { name: "add_field".into(), json: json!({ "type": "object" }) };
    request.schema = Some(schema.into());
    request
}

/// A message of these blocks.
fn said(content: &Value, reason: &str) -> Value {
    json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-tiny-1", "content": content,
            "stop_reason": reason, "stop_sequence": null, "usage": { "input_tokens": 11, "output_tokens": 7 } })
}

fn answer(content: &Value, reason: &str) -> Answer {
    Answer::json(200, &said(content, reason))
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// A complete reply with this text.
fn plain(said: &str) -> Answer {
    answer(&json!([text(said)]), "end_turn")
}

/// Sends a request and returns its body.
async fn sent(request: &ModelRequest, with: fn(AnthropicBuilder) -> AnthropicBuilder) -> Value {
    let server = Server::start([plain("{}")]).await;
    with(builder(&server.base_url)).build().unwrap().reply(request).await.unwrap();
    server.asked()[0].body.clone()
}

/// Reads a reply of these blocks.
async fn replied(content: Value, reason: &str, request: &ModelRequest) -> ModelReply {
    let server = Server::start([answer(&content, reason)]).await;
    model(&server.base_url).reply(request).await.unwrap()
}

/// An event of a stream, which contains its type twice.
fn event(kind: &str, mut json: Value) -> String {
    json["type"] = kind.into();
    format!("event: {kind}\ndata: {json}\n\n")
}

/// The first event of a stream.
fn start() -> String {
    let mut message = said(&json!([]), "");
    message["stop_reason"] = Value::Null;
    message["usage"]["output_tokens"] = 1.into();
    event("message_start", json!({ "message": message })) + &event("ping", json!({}))
}

/// The events of a block: its start, its pieces and its end.
fn block(index: u64, start: Value, pieces: &[Value]) -> String {
    let start = event("content_block_start", json!({ "index": index, "content_block": start }));
    let piece =
        |delta: &Value| event("content_block_delta", json!({ "index": index, "delta": delta }));
    let pieces: String = pieces.iter().map(piece).collect();
    start + &pieces + &event("content_block_stop", json!({ "index": index }))
}

/// The last events of a stream.
fn end(reason: &str) -> String {
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    let delta = json!({ "delta": delta, "usage": { "output_tokens": 7 } });
    event("message_delta", delta) + &event("message_stop", json!({}))
}

/// A stream of these events.
fn streamed(events: &[String]) -> Answer {
    Answer::new(200, events.concat()).with("content-type", "text/event-stream")
}

/// The clients of the fault matrix.
fn wires() -> [Wire; 1] {
    let error = json!({ "type": "overloaded_error", "message": "no room" });
    let begin = json!({ "index": 0, "content_block": text("") });
    let stop = event("content_block_stop", json!({ "index": 0 }));
    [Wire {
        name: "Anthropic",
        model: |base_url, limits| {
            let builder = builder(base_url).timeout(limits.timeout).max_retries(limits.retries);
            Box::new(builder.max_body_bytes(limits.max_bytes).build().unwrap())
        },
        start: start() + &event("content_block_start", begin),
        text: |text| {
            let delta = json!({ "type": "text_delta", "text": text });
            event("content_block_delta", json!({ "index": 0, "delta": delta }))
        },
        end: stop + &end("end_turn"),
        error: event("error", json!({ "error": error })),
        keep_alive: "event: ping\ndata: {\"type\": \"ping\"}\n\n: ping\n\n",
        garbage: "event: content_block_delta\ndata: oops\n\n",
    }]
}
