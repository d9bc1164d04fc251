//! Reading of replies in one piece.

use cot_model::{FinishReason, ModelReply, ToolCall, Usage};
use genai::chat::{ChatResponse, ContentPart, Usage as Counted};
use serde_json::Value;

use super::{
    family::Family,
    fault, finish, raw,
    tools::{own_name, read_calls},
};
use crate::http::{AttemptError, CallMembers, ReplyNames, Secrets};

/// Converts a response of `genai`, with the fields that it omits.
pub(super) fn read(
    response: ChatResponse,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    let said = response.captured_raw_body.unwrap_or_default();
    let usage = choose_usage(Some(&response.usage), raw::usage(&said), family);
    let mut names = ReplyNames::default();
    names.read(&said);
    let refused = |text: String| ModelReply::new(text).finish(FinishReason::Refusal).usage(usage);
    let refusal = raw::refusal(&said);
    if !refusal.is_empty() {
        return Ok(refused(refusal));
    }
    let calls = match raw::call_members(&said) {
        Ok(members) if family.is_chat() => Some(chat_calls(members)),
        Err(_) if family.is_chat() => return Err(fault::from_reply(&said, secrets)),
        _ => None,
    };
    let (mut texts, mut others) = (String::new(), Vec::new());
    for part in response.content.into_parts() {
        match part {
            ContentPart::Text(text) => texts.push_str(&text),
            other => others.push(other),
        }
    }
    let (text, calls) = (texts, calls.unwrap_or_else(|| read_calls(others)));
    if raw::is_blocked(&said) {
        return Ok(refused(text));
    }
    let is_empty = text.is_empty() && calls.is_empty() && response.stop_reason.is_none();
    let is_none = is_empty || family.is_chat() && !raw::has_choice(&said);
    if raw::error(&said).is_some() || raw::has_odd_text(&said) || is_none {
        return Err(fault::from_reply(&said, secrets));
    }
    let reason = response.stop_reason.as_ref();
    let finish =
        reason.map_or(Ok(FinishReason::Stop), |reason| finish::read_reason(reason, family))?;
    Ok(names.add_to(ModelReply::new(text).finish(finish).usage(usage).tool_calls(calls)))
}

fn chat_calls(members: CallMembers) -> Vec<ToolCall> {
    own_names(members.into_calls())
}

/// Returns calls with the names that the tools have outside of requests.
pub(super) fn own_names(mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
    calls.iter_mut().for_each(|call| call.name = own_name(&call.name).to_owned());
    calls
}

/// Converts a response that `genai` could not parse: a blocked prompt, calls with arguments that are not JSON, or
/// an error.
pub(super) fn read_failed(
    error: genai::Error,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    match &error {
        genai::Error::ChatResponseGeneration { response_body, .. }
            if family.is_chat() && raw::has_calls(response_body) =>
        {
            read_calling(response_body, family, secrets)
        }
        genai::Error::ChatResponseGeneration { response_body, .. }
            if raw::is_blocked(response_body) =>
        {
            let usage = raw::usage(response_body).unwrap_or(Usage::for_call(0, 0));
            Ok(ModelReply::new("").finish(FinishReason::Refusal).usage(usage))
        }
        _ => Err(fault::convert_error(error, secrets)),
    }
}

// `genai` requires an id, a type and valid JSON.
fn read_calling(
    said: &Value,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    let calls = raw::call_members(said).map_err(|_| fault::from_reply(said, secrets))?;
    let reason = raw::finish_reason(said).map(|reason| reason.to_owned().into());
    let finish =
        reason.map_or(Ok(FinishReason::Stop), |reason| finish::read_reason(&reason, family))?;
    let reply = ModelReply::new(raw::chat_text(said)).finish(finish);
    let usage = raw::usage(said).unwrap_or(Usage::for_call(0, 0));
    Ok(reply.usage(usage).tool_calls(chat_calls(calls)))
}

/// Returns the usage that `genai` read. For chat completions, the usage of the raw response takes precedence,
/// since `genai` reads none if one count is odd.
pub(super) fn choose_usage(counted: Option<&Counted>, raw: Option<Usage>, family: Family) -> Usage {
    let counted = counted.map(read_usage);
    let chosen = if family.is_chat() { raw.or(counted) } else { counted.or(raw) };
    chosen.unwrap_or(Usage::for_call(0, 0))
}

/// Converts token counts. Cached tokens are included in the input, reasoning tokens in the output.
fn read_usage(counted: &Counted) -> Usage {
    let count =
        |tokens: Option<i32>| tokens.and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
    let reasoning = counted.completion_tokens_details.as_ref();
    let reasoning = count(reasoning.and_then(|details| details.reasoning_tokens));
    // Gemini omits the tokens of an empty text after thoughts.
    let output = counted.completion_tokens.map_or(reasoning, |tokens| count(Some(tokens)));
    let usage = Usage::for_call(count(counted.prompt_tokens), output).reasoning(reasoning);
    match &counted.prompt_tokens_details {
        Some(details) => {
            usage.cached(count(details.cached_tokens), count(details.cache_creation_tokens))
        }
        None => usage,
    }
}
