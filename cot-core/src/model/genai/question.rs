//! A request in the words of `genai`.

use std::sync::Arc;

use genai::chat::{ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
use serde_json::{Value, json};

use super::{family::Family, raw::Tap};
use crate::model::{Dialect, ModelRequest, ReplySchema, ResponseFormat};

/// What is asked.
pub(super) fn chat_request(
    request: &ModelRequest,
    format: ResponseFormat,
    explain_format: bool,
) -> ChatRequest {
    let explained = explain_format || format != ResponseFormat::JsonSchema;
    let prompt = if explained { request.prompt() } else { request.prompt_without_format() };
    let chat = ChatRequest::from_user(prompt);
    match &request.system {
        Some(system) => chat.with_system(system),
        None => chat,
    }
}

/// How it is asked. What the server says is kept raw too, as `genai` leaves some of it out.
pub(super) fn chat_options(
    request: &ModelRequest,
    format: ResponseFormat,
    family: Family,
    tap: &Arc<Tap>,
) -> ChatOptions {
    let options = ChatOptions {
        temperature: request.temperature,
        max_tokens: request.max_tokens,
        capture_usage: Some(true),
        capture_raw_body: Some(true),
        raw_frame_sink: Some(Arc::<Tap>::clone(tap)),
        ..ChatOptions::default()
    };
    match (format, request.schema.as_deref()) {
        (ResponseFormat::JsonSchema, Some(schema)) => with_schema(options, schema, family),
        (ResponseFormat::JsonObject, _) => {
            options.with_response_format(ChatResponseFormat::JsonMode)
        }
        _ => options,
    }
}

// A grammar can enforce all of a schema. `genai` would demand every property of it, as OpenAI does, so
// there it goes in as it is.
fn with_schema(options: ChatOptions, schema: &ReplySchema, family: Family) -> ChatOptions {
    let name = &schema.name;
    let schema = in_dialect(schema, family.dialect());
    if family == Family::Grammar {
        let schema = json!({ "name": name, "schema": schema });
        let format = json!({ "type": "json_schema", "json_schema": schema });
        options.with_extra_body(json!({ "response_format": format }))
    } else {
        options.with_response_format(JsonSpec::new(name, schema))
    }
}

/// The schema in the dialect of the provider.
fn in_dialect(schema: &ReplySchema, _dialect: Dialect) -> Value {
    schema.json.clone()
}
