//! Why models stop: the only list, for all protocols, whole replies and streams.

use cot_model::{FinishReason, ModelErrorKind};

use super::AttemptError;

/// Reasons of a complete reply.
const STOPPED: [&str; 13] = [
    "complete",
    "completed",
    "end_turn",
    "eos",
    "eos_token",
    "function_call",
    "normal",
    "requires_action",
    "stop",
    "stop_sequence",
    "tool_call",
    "tool_calls",
    "tool_use",
];

/// Reasons of a reply that a limit of tokens cut off.
const CUT: [&str; 10] = [
    "budget_exceeded",
    "error_limit",
    "incomplete",
    "length",
    "max_output_tokens",
    "max_tokens",
    "model_context_window_exceeded",
    "model_length",
    "time_limit",
    "token_limit",
];

/// Reasons of a reply that the model or a filter refused.
const REFUSED: [&str; 16] = [
    "blocklist",
    "content_filter",
    "content_filtered",
    "error_toxic",
    "guardrail_intervened",
    "image_prohibited_content",
    "image_recitation",
    "image_safety",
    "language",
    "model_armor",
    "prohibited_content",
    "recitation",
    "refusal",
    "safety",
    "sensitive",
    "spii",
];

/// Reasons of a reply that the server could not read as calls.
const REJECTED: [&str; 7] = [
    "malformed_function_call",
    "malformed_model_output",
    "malformed_response",
    "malformed_tool_use",
    "missing_thought_signature",
    "too_many_tool_calls",
    "unexpected_tool_call",
];

/// Returns why a model stopped. `None` and "" tell that the server gave no reason, which some servers do until the
/// reply ends, and `is_counted` whether it counted the tokens of the whole reply, which servers do at its end.
///
/// # Errors
///
/// If the reply ended without a reason and a count: it was cut off. If the reason is not one of a complete, a cut or
/// a refused reply: the reply may be incomplete.
pub(crate) fn read_finish(
    reason: Option<&str>,
    is_counted: bool,
) -> Result<FinishReason, AttemptError> {
    let Some(reason) = reason.filter(|reason| !reason.is_empty()) else {
        return if is_counted { Ok(FinishReason::Stop) } else { Err(AttemptError::interrupted()) };
    };
    let word = reason.to_ascii_lowercase().replace(['-', ' '], "_");
    let is_in = |words: &[&str]| words.contains(&word.as_str());
    if is_in(&STOPPED) {
        Ok(FinishReason::Stop)
    } else if is_in(&CUT) {
        Ok(FinishReason::Length)
    } else if is_in(&REFUSED) {
        Ok(FinishReason::Refusal)
    } else {
        Err(failed(reason, is_in(&REJECTED)))
    }
}

fn failed(reason: &str, is_rejected: bool) -> AttemptError {
    let (kind, what) = if is_rejected {
        (ModelErrorKind::Rejected, "the server rejected the reply")
    } else {
        (ModelErrorKind::Aborted, "the server aborted the reply")
    };
    // A reason is normally one word.
    let shown: String = reason.chars().filter(|c| !c.is_control()).take(40).collect();
    AttemptError::new(kind, format!("{what}: the model stopped for the reason `{shown}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_all_protocols_are_known() {
        use FinishReason::{Length, Refusal, Stop};
        for (expected, reasons) in [
            (
                Stop,
                "stop STOP end_turn stop_sequence eos eos_token completed complete COMPLETE tool_calls tool_use function_call",
            ),
            (
                Length,
                "length max_tokens MAX_TOKENS model_length model_context_window_exceeded incomplete ERROR_LIMIT",
            ),
            (
                Refusal,
                "content_filter refusal SAFETY safety RECITATION recitation PROHIBITED_CONTENT MODEL_ARMOR ERROR_TOXIC guardrail_intervened sensitive",
            ),
        ] {
            for reason in reasons.split(' ') {
                assert_eq!(
                    read_finish(Some(reason), false).ok(),
                    Some(expected.clone()),
                    "{reason}"
                );
            }
        }
    }

    #[test]
    fn all_other_reasons_are_errors_even_if_the_tokens_are_counted() {
        let aborted = "error abort aborted insufficient_system_resource network_error OTHER failed cancelled queued \
            in_progress pause_turn load unknown FINISH_REASON_UNSPECIFIED ERROR USER_CANCEL TIMEOUT";
        for reason in aborted.split_whitespace() {
            let error = read_finish(Some(reason), true).err().map(AttemptError::into_result);
            let error = error.and_then(Result::err).unwrap();
            assert!(error.is_retryable(), "{reason}: {error:?}");
        }
        for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "malformed_tool_use"] {
            let error = read_finish(Some(reason), true).err().map(AttemptError::into_result);
            let error = error.and_then(Result::err).unwrap();
            assert_eq!(error.kind(), &ModelErrorKind::Rejected, "{reason}");
        }
    }

    #[test]
    fn no_reason_is_a_cut_unless_the_tokens_are_counted() {
        for reason in [None, Some("")] {
            assert_eq!(read_finish(reason, true).ok(), Some(FinishReason::Stop));
            assert!(read_finish(reason, false).is_err_and(|error| error.is_retryable()));
        }
    }
}
