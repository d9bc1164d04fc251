//! Failures of runs as errors of sessions.

use cot_engine::{Ending, HaltReason};
use cot_runtime::{ActiveRun, RunError};
use cot_schema::internal::sentence;
use cot_store::StoreError;
use cot_task_format::internal::data;
use futures_util::FutureExt;

use super::{
    conversation::process::{Conversation, ConversationTask},
    error::SessionError,
};

/// The limit up to which a refusal is quoted.
const MAX_SHOWN_BYTES: usize = 500;

/// Returns the error of a run that could not be started or persisted.
pub(super) fn describe_error(error: &RunError) -> SessionError {
    if let RunError::Store(StoreError::Leased { run, .. } | StoreError::LeaseLost { run, .. }) =
        error
    {
        return SessionError::Leased { run: run.clone() };
    }
    SessionError::Run(sentence(error))
}

/// Returns the error of a run that stopped without an ending.
pub(super) fn describe_failure(run: ActiveRun<Conversation>) -> SessionError {
    match run.finish().now_or_never() {
        Some(Err(error)) => describe_error(&error),
        _ => SessionError::Run("it ended without a result".to_owned()),
    }
}

/// Returns the error of a run that has ended.
pub(super) fn describe_ending(ending: &Ending<ConversationTask>) -> SessionError {
    match ending {
        Ending::Halted(halt) => describe_halt(&halt.reason),
        _ => SessionError::Run("the conversation was ended".to_owned()),
    }
}

/// Returns the error of a task that failed.
pub(super) fn describe_halt(reason: &HaltReason) -> SessionError {
    match reason {
        HaltReason::Unreachable(error) => SessionError::Model(error.clone()),
        HaltReason::Refused(said) => SessionError::Declined(data::truncate(said, MAX_SHOWN_BYTES)),
        HaltReason::Truncated => SessionError::Truncated,
        HaltReason::Budget(budget) => SessionError::Budget(*budget),
        HaltReason::TaskTimeout(limit) | HaltReason::RunTimeout(limit) => {
            SessionError::TimedOut(*limit)
        }
        other => SessionError::Run(other.to_string()),
    }
}
