//! Conversion of requests to those of `genai`.

use std::sync::Arc;

use cot_model::{ModelError, ModelRequest, ReplySchema};
use genai::chat::{ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
use serde_json::{Value, json};

use super::{family::Family, raw::FrameCollector};
use crate::http::{ResponseFormat, in_dialect};

/// A request with its schema and format prepared for the provider.
pub(super) struct PreparedRequest<'a> {
    request: &'a ModelRequest,
    pub(super) format: ResponseFormat,
    explain_format: bool,
    family: Family,
    schema: Option<JsonSpec>,
}

impl<'a> PreparedRequest<'a> {
    /// Rewrites the schema in the provider's dialect, once for all attempts, if it is sent.
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

    /// Returns the messages of the request.
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

    /// Returns the options of the request. They also capture the raw response, since `genai` omits
    /// fields of it.
    pub(super) fn chat_options(&self, tap: &Arc<FrameCollector>) -> ChatOptions {
        let options = ChatOptions {
            temperature: self.request.temperature,
            max_tokens: self.request.max_tokens,
            capture_usage: Some(true),
            capture_raw_body: Some(true),
            raw_frame_sink: Some(Arc::<FrameCollector>::clone(tap)),
            ..ChatOptions::default()
        };
        match &self.schema {
            Some(schema) if self.family == Family::Grammar => {
                options.with_extra_body(unmodified_schema(schema))
            }
            Some(schema) => options.with_response_format(schema.clone()),
            None if self.format == ResponseFormat::JsonObject => {
                options.with_response_format(ChatResponseFormat::JsonMode)
            }
            None => options,
        }
    }
}

// A grammar can enforce the whole schema, but `genai` would require every property of it, as OpenAI
// does. So the schema is sent around it.
fn unmodified_schema(schema: &JsonSpec) -> Value {
    let schema = json!({ "name": schema.name, "schema": schema.schema });
    json!({ "response_format": { "type": "json_schema", "json_schema": schema } })
}
