//! The request body of the chat completions API.

use cot_model::{Effort, ModelSettings};
use serde::Serialize;
use serde_json::Value;

use super::content::{SentMessage, sent_messages};
use crate::http::{
    ResponseFormat, Setting,
    client::{Outgoing, RequestForm, SentSchema, SentTool, Streaming},
};

/// The members of a body that the client sets.
#[derive(Serialize)]
pub(super) struct Members<'a> {
    model: &'a str,
    messages: Vec<SentMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<SentFunction<'a>>,
    #[serde(flatten)]
    settings: SentSettings<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

/// A tool in the server's dialect.
#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct SentFunction<'a> {
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    parameters: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The settings of a request that the server is not known to reject.
#[derive(Serialize)]
struct SentSettings<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<Effort>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema { json_schema: NamedSchema<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: &'a Value,
    /// Set only for the strict dialect: strict servers reject other schemas.
    strict: bool,
}

impl<'a> Members<'a> {
    pub(super) fn new(outgoing: &Outgoing<'a>) -> Self {
        let Outgoing { model, prepared, form, options, .. } = *outgoing;
        Self {
            model,
            messages: sent_messages(
                prepared.request,
                outgoing.is_explained(),
                options.cache_breakpoints,
            ),
            tools: prepared.tools.iter().map(SentFunction::new).collect(),
            settings: SentSettings::new(&prepared.request.settings, form),
            response_format: Format::new(form.format, prepared.schema.as_ref()),
            stream: form.streams().then_some(true),
            stream_options: (form.streaming == Streaming::Counted)
                .then_some(StreamOptions { include_usage: true }),
        }
    }
}

impl<'a> SentFunction<'a> {
    fn new(tool: &'a SentTool<'_>) -> Self {
        let SentTool { name, description, schema, strict } = tool;
        Self { function: Function { name, description, parameters: schema, strict: *strict } }
    }
}

impl<'a> SentSettings<'a> {
    fn new(settings: &'a ModelSettings, form: RequestForm) -> Self {
        let has = |setting| form.settings.contains(setting);
        Self {
            temperature: settings.temperature.filter(|_| has(Setting::Temperature)),
            top_p: settings.top_p.filter(|_| has(Setting::TopP)),
            max_tokens: settings.max_tokens.filter(|_| !form.newer_limit),
            max_completion_tokens: settings.max_tokens.filter(|_| form.newer_limit),
            stop: if has(Setting::Stop) { &settings.stop } else { &[] },
            seed: settings.seed.filter(|_| has(Setting::Seed)),
            reasoning_effort: settings.effort.filter(|_| has(Setting::Effort)),
        }
    }
}

impl<'a> Format<'a> {
    fn new(format: ResponseFormat, schema: Option<&'a SentSchema<'_>>) -> Option<Self> {
        match format {
            ResponseFormat::JsonSchema => {
                let SentSchema { name, json: schema, strict } = schema?;
                let json_schema = NamedSchema { name, schema, strict: *strict };
                Some(Self::JsonSchema { json_schema })
            }
            ResponseFormat::JsonObject => Some(Self::JsonObject),
            ResponseFormat::PromptOnly => None,
        }
    }
}
