//! Reading of replies in one piece.

use cot_model::{FinishReason, ModelReply, ToolCall, Usage};
use genai::chat::{ChatResponse, ContentPart, Usage as Counted};
use serde_json::Value;

use super::{
    family::Family,
    fault, raw,
    tools::{own_name, read_calls},
};
use crate::http::{
    AttemptError, ReplyNames, Secrets, answer_in_thoughts, check_names, read_finish, reported_error,
};

/// Converts a response of `genai`, with the fields that it omits.
pub(super) fn read(
    response: ChatResponse,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    let said = response.captured_raw_body.unwrap_or_default();
    if family.is_chat() {
        return read_chat(&said, secrets);
    }
    let known = read_usage(&response.usage).or_else(|| raw::usage(&said));
    let failed = |failure: AttemptError| failure.with_usage(known);
    let usage = known.unwrap_or(Usage::uncounted_call());
    let refusal = raw::refusal(&said);
    if !refusal.is_empty() {
        return Ok(refused(refusal, usage));
    }
    let (mut text, mut others) = (String::new(), Vec::new());
    for part in response.content.into_parts() {
        match part {
            ContentPart::Text(part) => text.push_str(&part),
            other => others.push(other),
        }
    }
    if raw::is_blocked(&said) {
        return Ok(refused(text, usage));
    }
    let calls = read_calls(others);
    let is_empty = text.is_empty() && calls.is_empty() && response.stop_reason.is_none();
    if reported_error(&said).is_some() || raw::has_odd_text(&said) || is_empty {
        return Err(failed(fault::from_reply(&said, secrets)));
    }
    let reason = response.stop_reason.as_ref().map(|reason| reason.raw());
    let finish = read_finish(reason, false).map_err(failed)?;
    check_names(&calls).map_err(failed)?;
    let reply = ModelReply::new(text).finish(finish).usage(usage).tool_calls(calls);
    Ok(with_names(reply, &said))
}

/// Reads a chat completion from its body: `genai` requires an id and a type of calls, valid JSON as their arguments,
/// and omits refusals and errors.
fn read_chat(said: &Value, secrets: &Secrets) -> Result<ModelReply, AttemptError> {
    let known = raw::usage(said);
    let failed = |failure: AttemptError| failure.with_usage(known);
    if reported_error(said).is_some() || raw::has_odd_text(said) || !raw::has_choice(said) {
        return Err(failed(fault::from_reply(said, secrets)));
    }
    let usage = known.unwrap_or(Usage::uncounted_call());
    let refusal = raw::refusal(said);
    if !refusal.is_empty() {
        return Ok(refused(refusal, usage));
    }
    let finish = read_finish(raw::finish_reason(said), known.is_some()).map_err(failed)?;
    let members = raw::call_members(said).map_err(|_| failed(fault::from_reply(said, secrets)))?;
    let thoughts = members.thoughts.text().to_owned();
    let calls = own_names(members.into_calls().map_err(failed)?);
    let reply = ModelReply::new(raw::chat_text(said)).finish(finish).usage(usage);
    Ok(with_names(with_calls(reply, calls, &thoughts), said))
}

fn refused(text: String, usage: Usage) -> ModelReply {
    ModelReply::new(text).finish(FinishReason::Refusal).usage(usage)
}

fn with_names(reply: ModelReply, said: &Value) -> ModelReply {
    let mut names = ReplyNames::default();
    names.read(said);
    names.add_to(reply)
}

/// Adds the calls to a reply that is no refusal. A complete reply without a text and calls gets the answer in its
/// thoughts.
pub(super) fn with_calls(reply: ModelReply, calls: Vec<ToolCall>, thoughts: &str) -> ModelReply {
    if reply.finish == FinishReason::Refusal {
        return reply;
    }
    let is_empty = reply.text.is_empty() && calls.is_empty();
    let is_complete = reply.finish == FinishReason::Stop;
    let reply = reply.tool_calls(calls);
    match answer_in_thoughts(thoughts).filter(|_| is_empty && is_complete) {
        Some(answer) => ModelReply { text: answer.to_owned(), ..reply },
        None => reply,
    }
}

/// Returns calls with the names that the tools have outside of requests.
pub(super) fn own_names(mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
    calls.iter_mut().for_each(|call| call.name = own_name(&call.name).to_owned());
    calls
}

/// Converts a response that `genai` could not parse: a chat completion that it takes for none, a blocked prompt, or
/// an error.
pub(super) fn read_failed(
    error: genai::Error,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    let said = match &error {
        genai::Error::ChatResponseGeneration { response_body, .. } => Some(&**response_body),
        genai::Error::ChatResponse { body, .. } => Some(body),
        _ => None,
    };
    match said {
        Some(said) if family.is_chat() && raw::has_choice(said) => read_chat(said, secrets),
        Some(said) if raw::is_blocked(said) => {
            let usage = raw::usage(said).unwrap_or(Usage::uncounted_call());
            Ok(refused(String::new(), usage))
        }
        _ => Err(fault::convert_error(error, false, secrets)),
    }
}

/// Converts token counts, if there are any. Cached tokens are included in the input, reasoning tokens in the output.
pub(super) fn read_usage(counted: &Counted) -> Option<Usage> {
    let count =
        |tokens: Option<i32>| tokens.and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
    let reasoning = counted.completion_tokens_details.as_ref();
    let reasoning = count(reasoning.and_then(|details| details.reasoning_tokens));
    // Gemini omits the tokens of an empty text after thoughts.
    let output = counted.completion_tokens.map_or(reasoning, |tokens| count(Some(tokens)));
    let usage = Usage::for_call(count(counted.prompt_tokens), output).reasoning(reasoning);
    // `genai` reads counts that are not there as zero for some protocols.
    if usage.total_tokens() == 0 {
        return None;
    }
    Some(match &counted.prompt_tokens_details {
        Some(details) => {
            usage.cached(count(details.cached_tokens), count(details.cache_creation_tokens))
        }
        None => usage,
    })
}
