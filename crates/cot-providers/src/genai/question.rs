//! A request in the words of `genai`.

use std::sync::Arc;

use cot_model::{ModelError, ModelRequest, ReplySchema};
use genai::chat::{ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
use serde_json::{Value, json};

use super::{family::Family, raw::Tap};
use crate::http::{ResponseFormat, in_dialect};

/// A request, and how it is put.
pub(super) struct Question<'a> {
    request: &'a ModelRequest,
    pub(super) format: ResponseFormat,
    explain_format: bool,
    family: Family,
    schema: Option<JsonSpec>,
}

impl<'a> Question<'a> {
    /// Brings the schema into the provider's dialect once, for all tries, where it is sent.
    pub(super) fn new(
        request: &'a ModelRequest,
        format: ResponseFormat,
        explain_format: bool,
        family: Family,
    ) -> Result<Self, ModelError> {
        let schema = request.schema.as_deref().filter(|_| format == ResponseFormat::JsonSchema);
        let spec = |schema: &ReplySchema| {
            let json = in_dialect(&schema.json, family.dialect())?;
            Ok(JsonSpec::new(&schema.name, json.into_owned()))
        };
        let schema = schema.map(spec).transpose()?;
        Ok(Self { request, format, explain_format, family, schema })
    }

    /// What is asked.
    pub(super) fn chat_request(&self) -> ChatRequest {
        let request = self.request;
        let explained = self.explain_format || self.schema.is_none();
        let prompt = if explained { request.prompt() } else { request.prompt_without_format() };
        let chat = ChatRequest::from_user(prompt);
        match &request.system {
            Some(system) => chat.with_system(&**system),
            None => chat,
        }
    }

    /// How it is asked. What the server says is kept raw too, as `genai` leaves some of it out.
    pub(super) fn chat_options(&self, tap: &Arc<Tap>) -> ChatOptions {
        let options = ChatOptions {
            temperature: self.request.temperature,
            max_tokens: self.request.max_tokens,
            capture_usage: Some(true),
            capture_raw_body: Some(true),
            raw_frame_sink: Some(Arc::<Tap>::clone(tap)),
            ..ChatOptions::default()
        };
        match &self.schema {
            Some(schema) if self.family == Family::Grammar => {
                options.with_extra_body(unchanged(schema))
            }
            Some(schema) => options.with_response_format(schema.clone()),
            None if self.format == ResponseFormat::JsonObject => {
                options.with_response_format(ChatResponseFormat::JsonMode)
            }
            None => options,
        }
    }
}

// A grammar can enforce all of a schema. `genai` would demand every property of it, as OpenAI does, so
// there it goes past it.
fn unchanged(schema: &JsonSpec) -> Value {
    let schema = json!({ "name": schema.name, "schema": schema.schema });
    json!({ "response_format": { "type": "json_schema", "json_schema": schema } })
}
