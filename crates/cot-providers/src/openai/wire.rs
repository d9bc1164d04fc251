//! The request and response bodies of the chat completions API.

use cot_model::{Effort, FinishReason, ModelReply, ModelSettings, ToolCall, Usage};
use serde::{Deserialize, Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value, json};

use super::{
    capabilities::{RequestForm, Streaming},
    content::{SentMessage, sent_messages},
    options::Options,
    prepared_request::{PreparedRequest, SentSchema},
    tools::SentTool,
};
use crate::http::{
    AttemptError, CallMembers, ReplyNames, ResponseFormat, Secrets, Setting, answer_in_thoughts,
    chat_usage, read_finish, reported_error,
};

/// The members of `extra` that are about tools.
const ABOUT_TOOLS: [&str; 2] = ["parallel_tool_calls", "tool_choice"];

/// The body of a request, with the members of `extra`.
pub(super) struct Body<'a> {
    members: Members<'a>,
    extra: &'a Map<String, Value>,
}

/// The members of a body that the client sets.
#[derive(Serialize)]
struct Members<'a> {
    model: &'a str,
    messages: Vec<SentMessage<'a>>,
    #[serde(skip_serializing_if = "<[SentTool]>::is_empty")]
    tools: &'a [SentTool<'a>],
    #[serde(flatten)]
    settings: SentSettings<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
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

impl<'a> Body<'a> {
    pub(super) fn new(
        model: &'a str,
        prepared: &'a PreparedRequest<'_>,
        form: RequestForm,
        options: &Options,
    ) -> Self {
        let PreparedRequest { request, schema, tools } = prepared;
        let response_format = Format::new(form.format, schema.as_ref());
        let explained =
            options.explain_format || !matches!(response_format, Some(Format::JsonSchema { .. }));
        let members = Members {
            model,
            messages: sent_messages(request, explained, options.cache_breakpoints),
            tools,
            settings: SentSettings::new(&request.settings, form),
            response_format,
            stream: form.streams().then_some(true),
            stream_options: (form.streaming == Streaming::Counted)
                .then_some(StreamOptions { include_usage: true }),
        };
        Self { members, extra: &request.settings.extra }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.extra.is_empty() {
            return self.members.serialize(serializer);
        }
        let mut body = serde_json::to_value(&self.members).map_err(S::Error::custom)?;
        // Servers reject these settings without tools.
        let is_sent = |name: &str| !self.members.tools.is_empty() || !ABOUT_TOOLS.contains(&name);
        for (name, value) in self.extra.iter().filter(|(name, _)| is_sent(name)) {
            body[name] = value.clone();
        }
        body.serialize(serializer)
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

#[derive(Deserialize)]
struct Completion {
    choices: Option<Vec<Choice>>,
}

#[derive(Deserialize)]
struct Choice {
    message: Answer,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    content: Option<Content>,
    refusal: Option<String>,
    #[serde(flatten)]
    calls: CallMembers,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// A part of the content. Parts without text, such as thoughts, are not part of the reply.
#[derive(Deserialize)]
pub(super) struct Part {
    text: Option<String>,
}

impl Content {
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

/// Parses the body of a response. The error contains the expected format and an excerpt of the body.
pub(super) fn read_reply(body: &[u8], secrets: &Secrets) -> Result<ModelReply, AttemptError> {
    let text = std::str::from_utf8(body).map_err(|error| {
        let at = error.valid_up_to();
        match error.error_len() {
            // The body ends within a character.
            None => AttemptError::cut_body(),
            Some(_) => AttemptError::protocol(format!(
                "expected JSON in UTF-8, got other bytes at offset {at}"
            )),
        }
    })?;
    let unexpected = |what: &str| {
        let came = if text.trim().is_empty() { "nothing" } else { text };
        format!("expected a chat completion, got {what}: {}", secrets.quote(came))
    };
    let other = |error| {
        let what = format!("other JSON or none ({})", place(&error));
        AttemptError::not_json(text, unexpected(&what))
    };
    let said: Value = serde_json::from_str(text).map_err(other)?;
    let usage = chat_usage(&said);
    let failed = |failure: AttemptError| failure.with_usage(usage);
    if let Some(error) = reported_error(&said) {
        return Err(failed(AttemptError::reported(error, secrets)));
    }
    if said.get("choices").is_none() {
        return Err(failed(AttemptError::protocol(unexpected("other JSON"))));
    }
    let completion: Completion = serde_json::from_str(text).map_err(other)?;
    let choice = completion.choices.and_then(|choices| choices.into_iter().next());
    let choice =
        choice.ok_or_else(|| failed(AttemptError::aborted(unexpected("one without choices"))))?;
    let mut names = ReplyNames::default();
    names.read(&json!({ "id": said["id"], "model": said["model"] }));
    let finish = read_finish(choice.finish_reason.as_deref(), usage.is_some());
    Ok(names.add_to(into_reply(choice.message.into(), finish, usage)?))
}

/// What a model said, apart from how it ended.
pub(super) struct Said {
    pub(super) text: String,
    pub(super) thoughts: String,
    pub(super) refusal: String,
    pub(super) calls: Result<Vec<ToolCall>, AttemptError>,
}

impl From<Answer> for Said {
    fn from(Answer { content, refusal, calls }: Answer) -> Self {
        Self {
            text: content.map(Content::into_text).unwrap_or_default(),
            thoughts: calls.thoughts.text().to_owned(),
            refusal: refusal.unwrap_or_default(),
            calls: calls.into_calls(),
        }
    }
}

/// Puts a reply together. Its text may be empty: reasoning models can stop before the first word.
///
/// # Errors
///
/// Returns the error of the end or of the calls, with the usage.
pub(super) fn into_reply(
    said: Said,
    finish: Result<FinishReason, AttemptError>,
    usage: Option<Usage>,
) -> Result<ModelReply, AttemptError> {
    let failed = |failure: AttemptError| failure.with_usage(usage);
    let finish = finish.map_err(failed)?;
    let usage = usage.unwrap_or(Usage::uncounted_call());
    let Said { text, thoughts, refusal, calls } = said;
    if !refusal.is_empty() {
        return Ok(ModelReply::new(refusal).finish(FinishReason::Refusal).usage(usage));
    }
    let reply = ModelReply::new(text).finish(finish).usage(usage);
    match reply.finish {
        FinishReason::Refusal => Ok(reply),
        FinishReason::Stop | FinishReason::Length => {
            Ok(with_answer(reply.tool_calls(calls.map_err(failed)?), &thoughts))
        }
    }
}

/// Gives a complete reply without a text and calls the answer that stands in its thoughts.
fn with_answer(reply: ModelReply, thoughts: &str) -> ModelReply {
    let is_empty = reply.text.is_empty() && reply.tool_calls.is_empty();
    let is_complete = reply.finish == FinishReason::Stop;
    match answer_in_thoughts(thoughts).filter(|_| is_empty && is_complete) {
        Some(answer) => ModelReply { text: answer.to_owned(), ..reply },
        None => reply,
    }
}

// Contains only the place: serde's own message may quote the response.
fn place(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}
