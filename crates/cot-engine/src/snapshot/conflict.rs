//! Conflicts: the changes of a process that keep a stored run from continuing.

use std::fmt;

use serde::Serialize;

/// A change of a process that keeps a stored run from continuing. `Display` writes one line: the change, and
/// what resolves it.
///
/// As JSON, an object with the member `conflict`, the name of the kind, and the members of the kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Conflict {
    /// The sub-process in which the run is and that has changed; `None` for the process of the run itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_process: Option<String>,
    /// The change.
    #[serde(flatten)]
    pub kind: ConflictKind,
}

/// The kind of a [`Conflict`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "conflict", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ConflictKind {
    /// A type in the state has changed.
    StateType {
        /// The name of the type.
        name: String,
        /// The change.
        change: Change,
    },
    /// The task at which the run is no longer exists.
    TaskGone {
        /// The task.
        task: String,
    },
    /// The task at which the run is has begun, and has another kind now.
    TaskKind {
        /// The task.
        task: String,
        /// The kind when the run was stored, as in manifests.
        before: String,
        /// The present kind.
        now: String,
    },
    /// The task at which the run is has begun a sub-process, and now runs another one.
    TaskProcess {
        /// The task.
        task: String,
        /// The sub-process when the run was stored.
        before: String,
        /// The present sub-process.
        now: String,
    },
    /// The task at which the run is has begun branches, and has others now.
    TaskBranches {
        /// The task.
        task: String,
    },
    /// The task at which the run is takes other inputs than those that the run has for it.
    TaskInputs {
        /// The task.
        task: String,
    },
    /// The task at which the run is has asked a model or a person, and has another schema now.
    TaskSchema {
        /// The task.
        task: String,
    },
    /// The task at which the run is has asked a model or a person, and its texts have changed.
    TaskPrompt {
        /// The task.
        task: String,
    },
    /// The task at which the run is has asked a model or a person, and the texts that all prompts of the process
    /// share have changed.
    CommonPrompt {
        /// The task.
        task: String,
    },
    /// A caller, to which the run returns, no longer exists.
    CallerGone {
        /// The caller.
        task: String,
    },
    /// A caller, to which the run returns, no longer asks a model once.
    CallerKind {
        /// The caller.
        task: String,
        /// The present kind, as in manifests.
        now: String,
    },
    /// A caller, to which the run returns, takes other inputs than those that the run has for it.
    CallerInputs {
        /// The caller.
        task: String,
    },
    /// The task at which the run ended no longer exists, or no longer ends a run in this way.
    EndTask {
        /// The task.
        task: String,
    },
    /// A task has changed, and the driver replays the run from its start.
    ReplayedTask {
        /// The task.
        task: String,
        /// The change.
        change: Change,
    },
    /// The texts of a task have changed, and the driver replays the run from its start.
    ReplayedPrompt {
        /// The task; `None` for the texts that all prompts of the process share.
        task: Option<String>,
    },
}

/// How a part of a process has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Added,
    /// It no longer exists.
    Removed,
    /// It exists and is different.
    Changed,
}

impl Conflict {
    /// Returns whether [`accept_changed_prompts`](crate::ResumeOptions::accept_changed_prompts) resolves the
    /// conflict.
    #[must_use]
    pub const fn is_prompt(&self) -> bool {
        self.kind.is_prompt()
    }
}

impl ConflictKind {
    pub(crate) const fn is_prompt(&self) -> bool {
        matches!(
            self,
            Self::TaskPrompt { .. } | Self::CommonPrompt { .. } | Self::ReplayedPrompt { .. }
        )
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(process) = &self.sub_process {
            write!(f, "in the sub-process `{process}`, ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_change(f)?;
        write!(f, ": {}", self.resolution())
    }
}

impl ConflictKind {
    fn write_change(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REPLAYED: &str = "and the run is replayed from its start";
        match self {
            Self::StateType { name, change } => {
                write!(f, "the type `{name}` of the state {change}")
            }
            Self::TaskGone { task } => write!(f, "its task `{task}` no longer exists"),
            Self::TaskKind { task, before, now } => {
                write!(
                    f,
                    "its task `{task}` has begun as `{before}` and is of the kind `{now}` now"
                )
            }
            Self::TaskProcess { task, before, now } => {
                write!(f, "its task `{task}` has begun `{before}` and runs `{now}` now")
            }
            Self::TaskBranches { task } => {
                write!(f, "the branches of its task `{task}`, which has begun, have changed")
            }
            Self::TaskInputs { task } => write!(f, "the inputs of its task `{task}` have changed"),
            Self::TaskSchema { task } => {
                write!(f, "the schema of its task `{task}`, which has begun, has changed")
            }
            Self::TaskPrompt { task } => {
                write!(f, "the prompt of its task `{task}`, which has begun, has changed")
            }
            Self::CommonPrompt { task } => write!(
                f,
                "the common texts of the prompts have changed, and its task `{task}` has begun"
            ),
            Self::CallerGone { task } => {
                write!(f, "the task `{task}`, to which it returns, no longer exists")
            }
            Self::CallerKind { task, now } => {
                write!(f, "the task `{task}`, to which it returns, is of the kind `{now}` now")
            }
            Self::CallerInputs { task } => {
                write!(f, "the inputs of the task `{task}`, to which it returns, have changed")
            }
            Self::EndTask { task } => {
                write!(f, "the task `{task}`, at which it ended, no longer ends a run in this way")
            }
            Self::ReplayedTask { task, change } => {
                write!(f, "the task `{task}` {change}, {REPLAYED}")
            }
            Self::ReplayedPrompt { task: Some(task) } => {
                write!(f, "the prompt of the task `{task}` has changed, {REPLAYED}")
            }
            Self::ReplayedPrompt { task: None } => {
                write!(f, "the common texts of the prompts have changed, {REPLAYED}")
            }
        }
    }

    const fn resolution(&self) -> &'static str {
        match self {
            Self::StateType { .. } => "convert the state in a migration",
            Self::TaskGone { .. } | Self::TaskInputs { .. } => {
                "move the run to another task in a migration"
            }
            Self::TaskKind { .. } | Self::TaskProcess { .. } | Self::TaskBranches { .. } => {
                "move the run to the task again in a migration"
            }
            Self::TaskSchema { .. } => {
                "accept it, or move the run to the task again, in a migration"
            }
            Self::TaskPrompt { .. } | Self::CommonPrompt { .. } => {
                "accept changed prompts, or move the run to the task again in a migration"
            }
            Self::CallerGone { .. } | Self::CallerKind { .. } | Self::CallerInputs { .. } => {
                "clear the callers in a migration"
            }
            Self::EndTask { .. } => "read the outcome with the version that stored it",
            Self::ReplayedTask { .. } => "let the version that started it finish it",
            Self::ReplayedPrompt { .. } => {
                "accept changed prompts, or let the version that started it finish it"
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Added => "is new",
            Self::Removed => "no longer exists",
            Self::Changed => "has changed",
        })
    }
}
