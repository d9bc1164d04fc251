//! Errors of taking a snapshot and of resuming from one.

use std::{error::Error, fmt};

use cot_schema::Issues;

use super::conflict::Conflict;
use crate::process::options::StartError;

/// The error of taking a snapshot, or of resuming a run from one.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The machine has not been started.
    #[error("the machine has not been started: there is nothing to take a snapshot of")]
    Idle,
    /// The state does not serialize to JSON.
    #[error("the state can't be written as JSON")]
    UnwritableState(#[source] serde_json::Error),
    /// The inputs of a task do not serialize to JSON.
    #[error("the inputs of task `{task}` can't be written as JSON")]
    UnwritableInputs {
        /// The task.
        task: String,
        /// The serialization error.
        #[source]
        source: serde_json::Error,
    },
    /// The text is truncated.
    #[error("the snapshot is truncated: it ends at line {line}, column {column}")]
    Truncated {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// The text is not a snapshot.
    #[error("this is not a snapshot")]
    NotASnapshot(#[source] serde_json::Error),
    /// The snapshot has the format of another version of this library.
    #[error("the snapshot has format {found}; this library reads format {expected}")]
    Format {
        /// The snapshot's format.
        found: u32,
        /// The format that this library reads.
        expected: u32,
    },
    /// The snapshot is of another process.
    #[error("the snapshot is of the process `{found}`, not of `{expected}`")]
    Process {
        /// The process of the snapshot.
        found: String,
        /// The process of the machine.
        expected: String,
    },
    /// The process has changed since the snapshot in a way that keeps the run from continuing, and the
    /// [`ResumeOptions`](crate::snapshot::options::ResumeOptions) do not resolve it. The message has a line for
    /// each conflict.
    #[error("the process `{process}` has changed since the run was stored:{}", Lines(conflicts))]
    Incompatible {
        /// The process.
        process: String,
        /// The changes on which the run depends, at least one.
        conflicts: Vec<Conflict>,
    },
    /// The migration moved the run to a task at which it can't start.
    #[error("the migration of `{process}` moves the run to `{task}`, {why}")]
    InvalidMove {
        /// The process.
        process: String,
        /// The task.
        task: String,
        /// The reason, as a relative clause.
        why: &'static str,
    },
    /// Code of the process or of its types panicked. The run is unchanged.
    #[error("code of the process panicked while it handled the snapshot: {0}")]
    Panicked(String),
    /// The migration failed.
    #[error("the migration failed")]
    Migration(#[source] Box<dyn Error + Send + Sync>),
    /// The migration panicked. The run is unchanged.
    #[error("the migration failed: {0}")]
    MigrationPanicked(String),
    /// The state does not deserialize.
    #[error("the state of the snapshot can't be read at `{path}`")]
    UnreadableState {
        /// The path within the state.
        path: String,
        /// The deserialization error.
        #[source]
        source: serde_json::Error,
    },
    /// The inputs of a task do not deserialize.
    #[error("the inputs of task `{task}` can't be read: {issues}")]
    UnreadableInputs {
        /// The current task or a caller.
        task: String,
        /// The issues, at their paths.
        issues: Issues,
    },
    /// The tools of the program can't be called.
    #[error("the run can't continue with these tools")]
    Tools(#[source] StartError),
    /// The snapshot is inconsistent.
    #[error("the snapshot contradicts itself: {0}")]
    Inconsistent(String),
}

/// Conflicts, one on each line.
struct Lines<'a>(&'a [Conflict]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [conflict] => write!(f, " {conflict}"),
            conflicts => conflicts.iter().try_for_each(|conflict| write!(f, "\n  {conflict}")),
        }
    }
}

pub(crate) fn inconsistent(what: &str) -> SnapshotError {
    SnapshotError::Inconsistent(what.to_owned())
}
