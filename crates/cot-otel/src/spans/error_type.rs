//! The words of `error.type`.

use std::borrow::Cow;

use cot_engine::{Event, Failure};
use cot_model::{ModelError, ModelErrorKind};
use cot_runtime::RunError;
use cot_store::EndKind;

/// The word of errors that have none.
pub(super) const OTHER: &str = "_OTHER";
/// The word of runs that could not continue.
pub(super) const HALTED: &str = "halted";
pub(super) const TIMEOUT: &str = "timeout";

/// Returns the word of an error of a model: the HTTP status if there is one.
pub(super) fn from_model_error(error: &ModelError) -> Cow<'static, str> {
    Cow::Borrowed(match error.kind() {
        ModelErrorKind::Status { code, .. } => return Cow::Owned(code.to_string()),
        ModelErrorKind::Account => "account",
        ModelErrorKind::Connection => "connection",
        ModelErrorKind::Timeout => TIMEOUT,
        ModelErrorKind::Unfinished => "unfinished",
        ModelErrorKind::Aborted => "aborted",
        ModelErrorKind::Rejected => "rejected",
        ModelErrorKind::TooLarge => "too_large",
        ModelErrorKind::Protocol => "protocol",
        ModelErrorKind::Schema => "schema",
        ModelErrorKind::Media => "media",
        ModelErrorKind::ScriptEnded => "script_ended",
        ModelErrorKind::Diverged => "diverged",
        _ => OTHER,
    })
}

/// Returns the word of how a call failed, and the error in words; `None` if it was answered.
pub(super) fn from_event(event: &Event) -> Option<(Cow<'static, str>, Cow<'_, str>)> {
    let (word, words) = match event {
        Event::Failed { error, .. } => {
            return Some((from_model_error(error), error.to_string().into()));
        }
        Event::TimedOut { .. } => (TIMEOUT, "the time limit passed"),
        Event::Interrupted { .. } => ("interrupted", "the program ended during the call"),
        Event::Cancelled { reason, .. } => ("cancelled", reason.as_str()),
        Event::Ran { result: Err(error), .. } if error.is_panic() => ("panic", error.message()),
        Event::Ran { result: Err(error), .. } => ("function_error", error.message()),
        _ => return None,
    };
    Some((word.into(), words.into()))
}

/// Returns the word of how an attempt failed.
pub(super) const fn from_failure(failure: Failure) -> &'static str {
    match failure {
        Failure::Rejected => "rejected",
        Failure::Truncated => "truncated",
        Failure::Refused => "refused",
        Failure::TimedOut => TIMEOUT,
        Failure::Unreachable => "unreachable",
        Failure::Failed => "failed",
        Failure::Interrupted => "interrupted",
        Failure::Unusable => "unusable",
        _ => OTHER,
    }
}

/// Returns how a run ended as a word.
pub(super) const fn ending(how: EndKind) -> &'static str {
    match how {
        EndKind::End => "end",
        EndKind::Fail => "fail",
        EndKind::RanOut => "ran_out",
        _ => HALTED,
    }
}

/// Returns the word of the error that stopped a run.
pub(super) const fn from_run_error(error: &RunError) -> &'static str {
    match error {
        RunError::Store(_) => "store",
        _ => OTHER,
    }
}
