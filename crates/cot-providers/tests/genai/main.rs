//! `GenAi` against servers on this machine that speak the providers' protocols.
//!
//! No assertion depends on time: delays are a millisecond, and the tests assert how often a server was
//! called, the requests, and the kind of error.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "../shared/completions.rs"]
mod completions;
#[path = "../shared/corpus.rs"]
mod corpus;
mod live;
#[path = "../shared/matrix.rs"]
mod matrix;
mod messages;
#[path = "../shared/parts.rs"]
mod parts;
mod protocols;
#[path = "../shared/recorded.rs"]
mod recorded;
mod replies;
mod requests;
mod retries;
mod secrets;
#[path = "../shared/server.rs"]
mod server;
mod settings;
#[path = "../shared/sink.rs"]
mod sink;
mod streamed_calls;
mod tools;
#[path = "../shared/traces.rs"]
mod traces;
mod usage;
#[path = "../shared/wire.rs"]
mod wire;
mod without_tools;

use std::time::Duration;

use cot_model::{LanguageModel, ModelRequest, ReplySchema};
use cot_providers::{GenAi, GenAiBuilder};
use serde_json::json;

use self::protocols::wires;

const KEY: &str = "sk-very-secret-0123456789";

/// A builder with a key and negligible delays.
/// A server that shows the schema to its model, so that the prompt does not explain it.
fn builder(model: &str, base_url: &str) -> GenAiBuilder {
    let pause = Duration::from_millis(1);
    let builder = GenAi::builder(model).base_url(base_url).explain_format(false);
    builder.key(KEY).backoff(pause, pause)
}

/// A model for tests that are those of each client.
fn any_model(base_url: &str) -> GenAi {
    builder("openai::tiny", base_url).build().unwrap()
}

/// A model for the corpus, which waits no longer than `longest` before a retry.
fn corpus_model(base_url: &str, longest: Duration) -> Box<dyn LanguageModel> {
    Box::new(builder("openai::tiny", base_url).max_retry_after(longest).build().unwrap())
}

/// The streams of Anthropic in which a tool of the server ran, which `genai` refuses. `Anthropic` reads them.
const UNREAD: [&str; 7] = [
    "messages-0322",
    "messages-0331",
    "messages-0386",
    "messages-0408",
    "messages-0414",
    "messages-0421",
    "messages-0424",
];

/// A model for exchanges in a protocol; `None` if it is tested with the other client.
fn recorded_model(protocol: &str, base_url: &str) -> Option<Box<dyn LanguageModel>> {
    let name = match protocol {
        "gemini" => "gemini::tiny",
        "messages" => "anthropic::tiny",
        "responses" => "openai_resp::tiny",
        _ => return None,
    };
    let base_url = if base_url.is_empty() { "http://127.0.0.1/" } else { base_url };
    Some(Box::new(builder(name, base_url).max_retries(0).build().unwrap()))
}

/// A request with all optional parts.
fn request() -> ModelRequest {
    let mut request = ModelRequest::new("Add a field.").append_format("\n\nAnswer in JSON.");
    let schema = ReplySchema { name: "add_field".into(), json: json!({ "type": "object" }) };
    request.schema = Some(schema.into());
    request
}
