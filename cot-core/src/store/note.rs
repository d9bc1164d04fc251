//! What happened in a run, in a form that needs no types of its process.

use std::time::Duration;

use cot_model::Usage;
use cot_reader::Repair;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};

use crate::{Attempt, Failure, Process, RunEvent, TaskId};

/// Something that happened in a run, for people and programs that look at it from outside. Replies are not
/// in it: they are in the events of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// A task began.
    TaskStarted {
        /// The task.
        task: String,
        /// How many times the run has now come to any task that does something, from 1.
        step: u64,
    },
    /// A reply had to be mended before it could be read.
    Repaired {
        /// The task.
        task: String,
        /// The number of the item, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What was mended.
        repairs: Vec<Repair>,
    },
    /// An attempt did not succeed.
    AttemptFailed {
        /// The task.
        task: String,
        /// The number of the item, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// In which way it failed.
        failure: Failure,
        /// What was wrong.
        issues: Issues,
        /// What the call consumed.
        usage: Usage,
        /// How long the call took.
        elapsed: Duration,
        /// Whether the task tries again.
        will_retry: bool,
    },
    /// A valid output came for an item of a for-each task.
    ItemDone {
        /// The task.
        task: String,
        /// The number of the item, from 0.
        item: usize,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// An output was accepted and written into the state.
    Committed {
        /// The task.
        task: String,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// A model chose where to go.
    Transitioned {
        /// The task that chose.
        task: String,
        /// Where it goes.
        go_to: String,
        /// What the model means to do.
        intent: String,
        /// What the model means to do after that.
        step_after: String,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// The run left a task.
    TaskFinished {
        /// The task.
        task: String,
        /// Where the run goes; `None` when it ends there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// Why it goes there, in a word.
        route: String,
    },
    /// Something happened in a process that a task runs.
    Nested {
        /// The task that runs the process.
        task: String,
        /// The process.
        process: String,
        /// What happened.
        event: Box<Note>,
    },
}

impl Note {
    /// An event without its types; none for what is in the events and statuses of a journal anyway, or is
    /// of no interest later on.
    pub(crate) fn of<P: Process>(event: &RunEvent<P>) -> Option<Self> {
        let name = |task: &P::Task| task.name().to_owned();
        Some(match event {
            RunEvent::TaskStarted { task, step } => {
                Self::TaskStarted { task: name(task), step: *step }
            }
            RunEvent::Repaired { task, item, attempt, repairs } => {
                let repairs = repairs.clone();
                Self::Repaired { task: name(task), item: *item, attempt: *attempt, repairs }
            }
            RunEvent::AttemptFailed { task, attempt, will_retry } => {
                Self::failed(name(task), attempt, *will_retry)
            }
            RunEvent::ItemDone { task, item, usage, elapsed } => {
                Self::ItemDone { task: name(task), item: *item, usage: *usage, elapsed: *elapsed }
            }
            RunEvent::Committed { task, usage, elapsed, .. } => {
                Self::Committed { task: name(task), usage: *usage, elapsed: *elapsed }
            }
            RunEvent::Transitioned { task, go_to, intent, step_after, usage, elapsed } => {
                Self::Transitioned {
                    task: name(task),
                    go_to: name(go_to),
                    intent: intent.clone(),
                    step_after: step_after.clone(),
                    usage: *usage,
                    elapsed: *elapsed,
                }
            }
            RunEvent::TaskFinished { task, next, route } => {
                let (next, route) = (next.as_ref().map(name), route.word().to_owned());
                Self::TaskFinished { task: name(task), next, route }
            }
            RunEvent::Nested { task, event } => Self::Nested {
                task: name(task),
                process: event.process().to_owned(),
                event: Box::new(event.note()?),
            },
            RunEvent::Prompt { .. }
            | RunEvent::Delta { .. }
            | RunEvent::Partial { .. }
            | RunEvent::Asked { .. }
            | RunEvent::Waiting { .. }
            | RunEvent::StateUpdated { .. }
            | RunEvent::Paused
            | RunEvent::Finished { .. } => return None,
        })
    }

    fn failed(task: String, attempt: &Attempt, will_retry: bool) -> Self {
        Self::AttemptFailed {
            task,
            item: attempt.item,
            attempt: attempt.number,
            failure: attempt.failure,
            issues: attempt.issues.clone(),
            usage: attempt.usage,
            elapsed: attempt.elapsed,
            will_retry,
        }
    }

    /// Whether something was written into the state of the run, or of a process within it.
    pub(crate) fn is_commit(&self) -> bool {
        match self {
            Self::Committed { .. } => true,
            Self::Nested { event, .. } => event.is_commit(),
            _ => false,
        }
    }
}
