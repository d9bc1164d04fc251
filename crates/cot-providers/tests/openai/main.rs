//! `OpenAiCompatible` against real servers on this machine.
//!
//! No assertion depends on time: delays are a millisecond, and the tests assert how often a server was
//! called, the requests, and the kind of error.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod broken_streams;
#[path = "../shared/completions.rs"]
mod completions;
#[path = "../shared/corpus.rs"]
mod corpus;
mod dialects;
mod faults;
#[path = "../shared/matrix.rs"]
mod matrix;
mod messages;
#[path = "../shared/parts.rs"]
mod parts;
#[path = "../shared/recorded.rs"]
mod recorded;
mod replies;
mod request_errors;
mod retries;
mod secrets;
#[path = "../shared/server.rs"]
mod server;
mod settings;
#[path = "../shared/sink.rs"]
mod sink;
mod streamed_calls;
mod streams;
mod tls;
mod tools;
#[path = "../shared/traces.rs"]
mod traces;
mod usage;
#[path = "../shared/wire.rs"]
mod wire;
mod without_tools;

use std::time::Duration;

use cot_model::{LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest, ReplySchema};
use cot_providers::{OpenAiBuilder, OpenAiCompatible};
use serde_json::json;

const KEY: &str = "sk-very-secret-0123456789";

/// A builder with a key and negligible delays.
/// A server that shows the schema to its model, so that the prompt does not explain it.
fn builder(base_url: &str) -> OpenAiBuilder {
    let pause = Duration::from_millis(1);
    let builder = OpenAiCompatible::builder(base_url, "tiny").explain_format(false);
    builder.key(KEY).backoff(pause, pause)
}

fn model(base_url: &str) -> OpenAiCompatible {
    builder(base_url).build().unwrap()
}

/// A model for tests that are those of each client.
fn any_model(base_url: &str) -> OpenAiCompatible {
    model(base_url)
}

/// A model for the corpus, which waits no longer than `longest` before a retry.
fn corpus_model(base_url: &str, longest: Duration) -> Box<dyn LanguageModel> {
    Box::new(builder(base_url).max_retry_after(longest).build().unwrap())
}

/// The exchanges of this protocol that the client does not read: none.
const UNREAD: [&str; 0] = [];

/// A model for exchanges in a protocol; `None` if this client has another one.
fn recorded_model(protocol: &str, base_url: &str) -> Option<Box<dyn LanguageModel>> {
    let base_url = if base_url.is_empty() { "http://127.0.0.1" } else { base_url };
    let model = builder(base_url).max_retries(0).build().unwrap();
    (protocol == "chat").then(|| Box::new(model) as Box<dyn LanguageModel>)
}

/// A request with all optional parts.
fn request() -> ModelRequest {
    let mut request = ModelRequest::new("Add a field.").append_format("\n\nAnswer in JSON.");
    let schema = ReplySchema { name: "add_field".into(), json: json!({ "type": "object" }) };
    request.schema = Some(schema.into());
    request
}

async fn ask(model: &OpenAiCompatible) -> Result<ModelReply, ModelError> {
    model.reply(&request()).await
}

fn status(error: &ModelError) -> Option<u16> {
    match error.kind() {
        ModelErrorKind::Status { code, .. } => Some(*code),
        _ => None,
    }
}

/// The clients of the fault matrix.
fn wires() -> [wire::Wire; 1] {
    [completions::chat("OpenAiCompatible", |base_url, limits| {
        let builder = builder(base_url).timeout(limits.timeout).max_retries(limits.retries);
        Box::new(builder.max_body_bytes(limits.max_bytes).build().unwrap())
    })]
}
