//! Conversion of requests to those of `genai`.

use std::sync::Arc;

use cot_model::{ModelError, ModelRequest, ReplySchema, Role};
use genai::{
    ModelIden,
    chat::{
        CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, ChatRole,
        ContentPart, JsonSpec, MessageContent, ReasoningEffort, Tool,
    },
};
use serde_json::{Map, Value, json};

use super::{
    content::to_part,
    family::Family,
    options::Options,
    raw::FrameCollector,
    tools::{thought_parts, to_tools},
};
use crate::{
    http::{ResponseFormat, in_dialect, trace_headers},
    request::{Block, BlockContent, BlockMessage, block_messages},
};

/// A request with its schema and format prepared for the provider.
pub(super) struct PreparedRequest<'a> {
    request: &'a ModelRequest,
    pub(super) format: ResponseFormat,
    options: &'a Options,
    family: Family,
    schema: Option<JsonSpec>,
    tools: Vec<Tool>,
}

impl<'a> PreparedRequest<'a> {
    /// Rewrites the schemas that are sent in the provider's dialects, once for all attempts.
    pub(super) fn new(
        request: &'a ModelRequest,
        format: ResponseFormat,
        options: &'a Options,
        (family, model): (Family, &ModelIden),
    ) -> Result<Self, ModelError> {
        let schema = request.schema.as_deref().filter(|_| format == ResponseFormat::JsonSchema);
        let spec = |schema: &ReplySchema| {
            let json = in_dialect(&schema.json, family.dialect())?;
            Ok(JsonSpec::new(&schema.name, json.into_owned()))
        };
        let schema = schema.map(spec).transpose()?;
        let tools = to_tools(request, family, model)?;
        Ok(Self { request, format, options, family, schema, tools })
    }

    /// Returns the messages of the request.
    pub(super) fn chat_request(&self) -> ChatRequest {
        let explained = self.options.explain_format == Some(true) || self.schema.is_none();
        let breakpoints = self.options.cache_breakpoints && self.family == Family::Anthropic;
        let messages = block_messages(self.request, explained, breakpoints);
        let tools = (!self.tools.is_empty()).then(|| self.tools.clone());
        let empty = ChatRequest { tools, ..ChatRequest::default() };
        messages.into_iter().fold(empty, |mut chat, message| {
            match plain_system(&message) {
                Some(system) => chat.system = Some(system),
                None => chat.messages.extend(self.chat_messages(&message)),
            }
            chat
        })
    }

    // `genai` marks ends of messages, so that a message is cut at its breakpoints. Anthropic joins adjacent
    // messages of a role.
    fn chat_messages(&self, message: &BlockMessage<'_>) -> Vec<ChatMessage> {
        let role = match message.role {
            Role::System => ChatRole::System,
            Role::User => ChatRole::User,
            Role::Assistant => ChatRole::Assistant,
            Role::Tool => ChatRole::Tool,
        };
        let sections = message.blocks.split_inclusive(|block| block.is_breakpoint);
        let to_message = |section: &[Block<'_>]| {
            let parts: Vec<_> =
                section.iter().map(|block| to_part(&block.content, self.family)).collect();
            let parts = [thoughts(section), parts].concat();
            let message = ChatMessage::new(role.clone(), MessageContent::from_parts(parts));
            match section.last() {
                Some(Block { is_breakpoint: true, .. }) => {
                    message.with_options(CacheControl::Ephemeral)
                }
                _ => message,
            }
        };
        sections.map(to_message).collect()
    }

    /// Returns the options of the request. They also capture the raw response, since `genai` omits
    /// fields of it.
    pub(super) fn chat_options(&self, tap: &Arc<FrameCollector>, streams: bool) -> ChatOptions {
        let settings = &self.request.settings;
        let effort =
            settings.effort.and_then(|level| ReasoningEffort::from_keyword(level.as_str()));
        // A call has to be sent back with the thoughts before it.
        let has_calls = !self.tools.is_empty();
        let shows_thoughts =
            (streams && effort.is_some() || has_calls) && self.family.shows_thoughts_if_asked();
        let options = ChatOptions {
            temperature: settings.temperature,
            top_p: settings.top_p,
            max_tokens: settings.max_tokens,
            stop_sequences: settings.stop.clone(),
            seed: settings.seed,
            reasoning_effort: effort,
            capture_reasoning_content: shows_thoughts.then_some(true),
            cache_control: self.automatic_caching(),
            capture_usage: Some(true),
            // Those of chat completions are read from the raw events, since `genai` trusts their indices.
            capture_tool_calls: Some(has_calls && !self.family.is_chat()),
            capture_raw_body: Some(true),
            raw_frame_sink: Some(Arc::<FrameCollector>::clone(tap)),
            extra_body: self.extra_body(),
            extra_headers: Some(trace_headers().into()),
            ..ChatOptions::default()
        };
        match &self.schema {
            Some(_) if self.family == Family::Grammar => options,
            Some(schema) => options.with_response_format(schema.clone()),
            None if self.format == ResponseFormat::JsonObject => {
                options.with_response_format(ChatResponseFormat::JsonMode)
            }
            None => options,
        }
    }

    // `genai` turns the automatic caching of OpenAI's newer models off, unless a request asks for any.
    // This one adds nothing else to requests of OpenAI's protocols.
    fn automatic_caching(&self) -> Option<CacheControl> {
        let is_automatic = matches!(self.family, Family::Chat | Family::Responses);
        (is_automatic && self.options.cache_breakpoints).then_some(CacheControl::Ephemeral5m)
    }

    fn extra_body(&self) -> Option<Value> {
        let schema = self.schema.as_ref().filter(|_| self.family == Family::Grammar);
        let mut body: Map<String, Value> = schema.map(unmodified_schema).into_iter().collect();
        body.extend(self.request.settings.extra.clone());
        (!body.is_empty()).then_some(Value::Object(body))
    }
}

/// Returns the thoughts before the calls in a message.
fn thoughts(blocks: &[Block<'_>]) -> Vec<ContentPart> {
    let first = blocks.iter().find_map(|block| match &block.content {
        BlockContent::ToolCall { call, .. } => Some(thought_parts(call)),
        _ => None,
    });
    first.unwrap_or_default()
}

/// Returns the text of a system message without breakpoints, for which some protocols have a place of its
/// own.
fn plain_system(message: &BlockMessage<'_>) -> Option<String> {
    match message.blocks.as_slice() {
        [Block { content: BlockContent::Text(text), is_breakpoint: false, .. }]
            if message.role == Role::System =>
        {
            Some(text.clone().into_owned())
        }
        _ => None,
    }
}

// A grammar can enforce the whole schema, but `genai` would require every property of it, as OpenAI
// does. So the schema is sent around it.
fn unmodified_schema(schema: &JsonSpec) -> (String, Value) {
    let schema = json!({ "name": schema.name, "schema": schema.schema });
    let format = json!({ "type": "json_schema", "json_schema": schema });
    ("response_format".to_owned(), format)
}
