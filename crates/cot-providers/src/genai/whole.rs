//! Reading of replies in one piece.

use cot_model::{FinishReason, ModelReply, Usage};
use genai::chat::{ChatResponse, Usage as Counted};

use super::{family::Family, fault, finish, raw};
use crate::http::{AttemptError, Secrets};

/// Converts a response of `genai`, with the fields that it omits.
pub(super) fn read(
    response: ChatResponse,
    family: Family,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    let said = response.captured_raw_body.unwrap_or_default();
    let usage = read_usage(&response.usage);
    let refused = |text: String| ModelReply { text, finish: FinishReason::Refusal, usage };
    let refusal = raw::refusal(&said);
    if !refusal.is_empty() {
        return Ok(refused(refusal));
    }
    let text = response.content.into_texts().concat();
    if raw::is_blocked(&said) {
        return Ok(refused(text));
    }
    let is_empty = text.is_empty() && response.stop_reason.is_none();
    let is_none = is_empty || family.is_chat() && !raw::has_choice(&said);
    if raw::error(&said).is_some() || raw::has_odd_text(&said) || is_none {
        return Err(fault::from_reply(&said, secrets));
    }
    let reason = response.stop_reason.as_ref();
    let finish =
        reason.map_or(Ok(FinishReason::Stop), |reason| finish::read_reason(reason, family))?;
    Ok(ModelReply { text, finish, usage })
}

/// Converts a response that `genai` could not parse: a blocked prompt, or an error.
pub(super) fn read_failed(
    error: genai::Error,
    secrets: &Secrets,
) -> Result<ModelReply, AttemptError> {
    match &error {
        genai::Error::ChatResponseGeneration { response_body, .. }
            if raw::is_blocked(response_body) =>
        {
            let usage = raw::usage(response_body).unwrap_or(Usage::for_call(0, 0));
            Ok(ModelReply::new("").finish(FinishReason::Refusal).usage(usage))
        }
        _ => Err(fault::convert_error(error, secrets)),
    }
}

/// Converts token counts. Cached tokens are included in the input, reasoning tokens in the output.
pub(super) fn read_usage(counted: &Counted) -> Usage {
    let count =
        |tokens: Option<i32>| tokens.and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
    Usage::for_call(count(counted.prompt_tokens), count(counted.completion_tokens))
}
