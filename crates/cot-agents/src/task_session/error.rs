//! Errors of a session.

use std::time::Duration;

use cot_engine::{Budget, SnapshotError};
use cot_model::ModelError;
use cot_store::{ParseRunIdError, RunId, StoreError};
use cot_task_format::{Diagnostic, Position};
use thiserror::Error;

/// Why a turn can't continue. The trace keeps what was accepted, and
/// [`continue_turn`](super::Session::continue_turn) retries from there.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The model failed.
    #[error("the model failed")]
    Model(#[from] ModelError),
    /// The model, or the service's filter, refused to answer. Contains its text, truncated if it is long.
    #[error("the model refused: {0}")]
    Declined(String),
    /// The token limit cut off a reply before its first structure was complete.
    #[error("the limit of tokens cut off the reply before anything in it was complete")]
    Truncated,
    /// Too many consecutive replies were rejected, though the model received the diagnostics.
    #[error("{attempts} replies in a row were rejected; the last one: {}", first(.diagnostics))]
    Refused {
        /// Number of rejected replies.
        attempts: u32,
        /// The diagnostics of the last reply.
        diagnostics: Vec<Diagnostic>,
    },
    /// The model gave no response within the limit of rounds.
    #[error("the model gave no response within {limit} rounds")]
    RoundLimit {
        /// The limit of rounds.
        limit: u32,
    },
    /// The trace exceeds its limit.
    #[error("the trace has {bytes} bytes, and the limit is {limit}")]
    TraceLimit {
        /// The limit in bytes.
        limit: usize,
        /// The length of the trace in bytes.
        bytes: usize,
    },
    /// The conversation used up the budget of its runner.
    #[error("the budget of {0} is used up")]
    Budget(Budget),
    /// The turn reached a time limit of its runner.
    #[error("the turn took longer than {0:?}")]
    TimedOut(Duration),
    /// Another program drives the stored run. Nothing was changed.
    #[error("run `{run}` is driven by another program")]
    Leased {
        /// The run.
        run: RunId,
    },
    /// The run of the conversation failed or ended: its store failed, or it was cancelled. Contains the
    /// reason.
    #[error("the run of the conversation stopped: {0}")]
    Run(String),
    /// The last turn has no response yet. Continue it with
    /// [`continue_turn`](super::Session::continue_turn), or remove it with
    /// [`abandon`](super::Session::abandon).
    #[error("the last turn has no response yet: continue or abandon it")]
    Unfinished,
}

cot_schema::debug_as_sentence!(SessionError, SessionBuildError, SessionOpenError);

/// Why a session can't be built.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SessionBuildError {
    /// A tool's name is empty or contains spaces.
    #[error("`{0}` is not a valid name of a tool: a name contains no spaces")]
    ToolName(String),
    /// A parameter of a tool has a name that is reserved for calls.
    #[error(
        "the tool `{tool}` has a parameter `{parameter}`, which is reserved for calls: rename it"
    )]
    ToolParameter {
        /// The name of the tool.
        tool: String,
        /// The parameter: `tool` or `id`.
        parameter: &'static str,
    },
    /// A structure of a trace is invalid at its position.
    #[error("structure {index} of the trace, at {position}: {message}")]
    Trace {
        /// The number of the structure, from 0.
        index: usize,
        /// The position of its start.
        position: Position,
        /// The problem.
        message: String,
    },
}

/// Why the session of a stored run can't be opened.
#[derive(Error)]
#[non_exhaustive]
pub enum SessionOpenError {
    /// A tool can't be called in the format.
    #[error(transparent)]
    Build(#[from] SessionBuildError),
    /// The name of the run is not valid.
    #[error(transparent)]
    RunId(#[from] ParseRunIdError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored run can't be read as a conversation.
    #[error("run `{run}` is no conversation of this version")]
    Snapshot {
        /// The run.
        run: RunId,
        /// The reason.
        #[source]
        source: SnapshotError,
    },
}

/// How a tool of a session differs from the same tool in the trace that the session was
/// [resumed](super::SessionBuilder::resume) from, or in the run that it was
/// [opened](super::SessionBuilder::open) from. The session's trace contains the session's definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChange {
    /// The trace has no such tool.
    Added {
        /// The name of the tool.
        tool: String,
    },
    /// The description differs.
    Described {
        /// The name of the tool.
        tool: String,
    },
    /// The session has no such tool. Only a session of a stored run can lack a tool of its trace.
    Removed {
        /// The name of the tool.
        tool: String,
    },
    /// The parameters differ. The calls in the trace match the new parameters too.
    Parameters {
        /// The name of the tool.
        tool: String,
    },
}

fn first(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("", |diagnostic| &diagnostic.message)
}
