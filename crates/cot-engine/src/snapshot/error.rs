//! Errors of taking a snapshot and of resuming from one.

use std::{error::Error, fmt};

/// The error of taking a snapshot, or of resuming a run from one.
#[derive(Debug, thiserror::Error)]
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
        expected: &'static str,
    },
    /// The tasks of the process have changed since the snapshot.
    #[error("the graph has changed since the snapshot: {}", Changes { added, removed, changed })]
    Graph {
        /// New tasks.
        added: Vec<String>,
        /// Removed tasks.
        removed: Vec<String>,
        /// Tasks with another kind or other routes.
        changed: Vec<String>,
    },
    /// The type of the state has changed since the snapshot, and there is no migration: see
    /// [`ResumeOptions::migrate`](crate::snapshot::options::ResumeOptions::migrate).
    #[error("the state's type has changed since the snapshot ({}): give a migration", quote_list(.types))]
    StateType {
        /// The types that were added, removed or changed.
        types: Vec<String>,
    },
    /// The schemas of outputs have changed since the snapshot, and there is no migration. A migration that
    /// returns the state unchanged suffices: see
    /// [`ResumeOptions::migrate`](crate::snapshot::options::ResumeOptions::migrate).
    #[error("the output schemas of {} have changed since the snapshot: give a migration", quote_list(.tasks))]
    Schemas {
        /// The tasks with changed schemas.
        tasks: Vec<String>,
    },
    /// The prompts have changed since the snapshot, and the change was not accepted: see
    /// [`ResumeOptions::accept_changed_prompts`](crate::snapshot::options::ResumeOptions::accept_changed_prompts).
    #[error("the prompts of {} have changed since the snapshot: accept the change, or restore them", quote_list(.tasks))]
    Prompts {
        /// The tasks with changed prompts; `(process)` stands for the common parts.
        tasks: Vec<String>,
    },
    /// Code of the process or of its types panicked. The run is unchanged.
    #[error("code of the process panicked while it handled the snapshot: {0}")]
    Panicked(String),
    /// The migration failed.
    #[error("the migration of the state failed")]
    Migration(#[source] Box<dyn Error + Send + Sync>),
    /// The state does not deserialize.
    #[error("the state of the snapshot can't be read at `{path}`")]
    UnreadableState {
        /// The path within the state.
        path: String,
        /// The deserialization error.
        #[source]
        source: serde_json::Error,
    },
    /// The snapshot is inconsistent.
    #[error("the snapshot contradicts itself: {0}")]
    Inconsistent(String),
}

struct Changes<'a> {
    added: &'a [String],
    removed: &'a [String],
    changed: &'a [String],
}

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = [("new", self.added), ("gone", self.removed), ("changed", self.changed)];
        let mut separator = "";
        for (what, names) in groups.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, "{separator}{what} {}", quote_list(names))?;
            separator = "; ";
        }
        Ok(())
    }
}

fn quote_list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

pub(crate) fn inconsistent(what: &str) -> SnapshotError {
    SnapshotError::Inconsistent(what.to_owned())
}
