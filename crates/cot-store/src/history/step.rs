//! A step of a run.

use std::time::{Duration, SystemTime};

use cot_model::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attempt::AttemptHistory;

/// A visit of a task that does something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepHistory {
    /// Its number in its process, from 1. In the numbers of a process, the steps of those that its tasks run
    /// count too, so that some are left out.
    pub step: u64,
    /// The task.
    pub task: String,
    /// The process of the task, where it is not that of the run but one that a task of it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// What was asked, and what came of it, in the order in which it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptHistory>,
    /// The items of a for-each task for which there is a valid output, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items_done: Vec<usize>,
    /// The steps of the process that the task runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<StepHistory>,
    /// Whether an output was written into the state.
    pub is_committed: bool,
    /// The output, as it was committed, where the run keeps it: in its history, or as its last output. That of
    /// a step of a process within is known to its attempts alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// Where the model chose to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<Transition>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::millis::option")]
    pub finished: Option<SystemTime>,
    /// Where the run went then; none when it ended there, or is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Why it went there, in a word; none of a step that is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
}

/// A choice of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// Where it goes.
    pub go_to: String,
    /// What the model means to do.
    pub intent: String,
    /// What the model means to do after that.
    pub step_after: String,
}

impl StepHistory {
    pub(super) fn of(task: String) -> Self {
        Self { task, ..Self::default() }
    }

    /// What its calls consumed, those of the processes within too.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let attempts = self.attempts.iter().map(|attempt| attempt.usage);
        let nested = self.nested.iter().map(Self::usage);
        attempts.chain(nested).fold(Usage::default(), std::ops::Add::add)
    }

    /// How long its calls took, added up, those of the processes within too. What people take is not known.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let attempts = self.attempts.iter().map(|attempt| attempt.elapsed);
        let nested = self.nested.iter().map(Self::elapsed);
        attempts.chain(nested).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.route.is_some()
    }
}
