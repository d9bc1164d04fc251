//! The response body of the chat completions API.

use cot_model::{FinishReason, ModelReply, ToolCall, Usage};
use serde::Deserialize;

use crate::http::{
    AttemptError, CallMembers, answer_in_thoughts, chat_usage, client::WholeReply, read_finish,
};

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

/// Reads the body of a response.
pub(super) fn read(reply: &WholeReply<'_>) -> Result<ModelReply, AttemptError> {
    if reply.said.get("choices").is_none() {
        return Err(AttemptError::protocol(reply.unexpected("other JSON")));
    }
    let completion: Completion = reply.parse()?;
    let choice = completion.choices.and_then(|choices| choices.into_iter().next());
    let lost = || AttemptError::aborted(reply.unexpected("one without choices"));
    let choice = choice.ok_or_else(lost)?;
    let usage = chat_usage(&reply.said);
    let finish = read_finish(choice.finish_reason.as_deref(), usage.is_some());
    into_reply(choice.message.into(), finish, usage)
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
/// Returns the error of the end or of the calls.
pub(super) fn into_reply(
    said: Said,
    finish: Result<FinishReason, AttemptError>,
    usage: Option<Usage>,
) -> Result<ModelReply, AttemptError> {
    let finish = finish?;
    let usage = usage.unwrap_or(Usage::uncounted_call());
    let Said { text, thoughts, refusal, calls } = said;
    if !refusal.is_empty() {
        return Ok(ModelReply::new(refusal).finish(FinishReason::Refusal).usage(usage));
    }
    let reply = ModelReply::new(text).finish(finish).usage(usage);
    match reply.finish {
        FinishReason::Refusal => Ok(reply),
        FinishReason::Stop | FinishReason::Length => {
            Ok(with_answer(reply.tool_calls(calls?), &thoughts))
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
