//! Conversion of the reasons why models stop.

use cot_model::FinishReason;
use genai::chat::StopReason;

use super::family::Family;
use crate::http::AttemptError;

/// Converts a provider's stop reason. A reason that is not a regular end is an error, since the reply
/// may be incomplete.
pub(super) fn read_reason(
    reason: &StopReason,
    family: Family,
) -> Result<FinishReason, AttemptError> {
    match reason {
        StopReason::Completed(_) | StopReason::StopSequence(_) | StopReason::ToolCall(_) => {
            Ok(FinishReason::Stop)
        }
        StopReason::MaxTokens(_) => Ok(FinishReason::Length),
        StopReason::ContentFilter(_) => Ok(FinishReason::Refusal),
        StopReason::Other(raw) => read_other(raw, family),
    }
}

// Imitations of chat completions have their own words for a regular end, so only known failures are
// errors there. In protocols that list their reasons, an unlisted one is an error.
fn read_other(raw: &str, family: Family) -> Result<FinishReason, AttemptError> {
    let reason = raw.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if says(&["max_", "length", "limit"]) {
        Ok(FinishReason::Length)
    } else if says(&["filter", "guardrail", "armor", "blocked", "safety", "refus"]) {
        Ok(FinishReason::Refusal)
    } else if family.is_chat() && !says(&["error", "fail", "cancel", "abort", "insufficient"]) {
        Ok(FinishReason::Stop)
    } else {
        let message = "the server aborted the reply: the model stopped for the reason";
        Err(AttemptError::protocol(format!("{message} `{}`", excerpt(raw))))
    }
}

// Truncated, since a reason is normally one word.
fn excerpt(raw: &str) -> String {
    raw.chars().filter(|c| !c.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_all_providers_are_known() {
        use FinishReason::{Length, Refusal, Stop};
        for (family, reason, expected) in [
            (Family::Anthropic, "end_turn", Some(Stop)),
            (Family::Anthropic, "stop_sequence", Some(Stop)),
            (Family::Anthropic, "max_tokens", Some(Length)),
            (Family::Anthropic, "model_context_window_exceeded", Some(Length)),
            (Family::Anthropic, "refusal", Some(Refusal)),
            (Family::Anthropic, "pause_turn", None),
            (Family::Gemini, "STOP", Some(Stop)),
            (Family::Gemini, "MAX_TOKENS", Some(Length)),
            (Family::Gemini, "SAFETY", Some(Refusal)),
            (Family::Gemini, "PROHIBITED_CONTENT", Some(Refusal)),
            (Family::Gemini, "RECITATION", Some(Refusal)),
            (Family::Gemini, "MODEL_ARMOR", Some(Refusal)),
            (Family::Gemini, "MALFORMED_FUNCTION_CALL", None),
            (Family::Gemini, "OTHER", None),
            (Family::Chat, "stop", Some(Stop)),
            (Family::Chat, "eos", Some(Stop)),
            (Family::Chat, "length", Some(Length)),
            (Family::Chat, "content_filter", Some(Refusal)),
            (Family::Chat, "insufficient_system_resource", None),
            (Family::Chat, "error", None),
            (Family::Responses, "completed", Some(Stop)),
            (Family::Responses, "incomplete", Some(Length)),
            (Family::Responses, "failed", None),
            (Family::Unconstrained, "COMPLETE", Some(Stop)),
            (Family::Unconstrained, "ERROR_LIMIT", Some(Length)),
            (Family::Unconstrained, "ERROR_TOXIC", Some(Refusal)),
            (Family::Unconstrained, "guardrail_intervened", Some(Refusal)),
            (Family::Unconstrained, "load", None),
        ] {
            let read = read_reason(&StopReason::from(reason.to_owned()), family).ok();
            assert_eq!(read, expected, "{family:?} {reason}");
        }
    }
}
