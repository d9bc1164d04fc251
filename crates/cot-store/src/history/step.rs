//! A step of a run, as the history shows it.

use std::time::{Duration, SystemTime};

use cot_engine::BranchOutcome;
use cot_model::Usage;
use cot_reader::Passage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{attempt::AttemptHistory, tool_call::ToolCallHistory};

/// One visit of a task that does something: its attempts, its output, and where the run went next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepHistory {
    /// The number of the step in its process, from 1. Steps of sub-processes are counted too, so numbers of
    /// a process can have gaps.
    pub step: u64,
    /// The name of the task.
    pub task: String,
    /// The number of the visit of the task in its process, from 1, as in the keys of its calls; 0 if it is not known.
    #[serde(default)]
    pub visit: u32,
    /// The name of the sub-process that the task belongs to; `None` for a task of the run's own process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// The number of the item for which the sub-process runs, in a for-each task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The attempt at the sub-process that the task belongs to, from 1; 1 for a task of the run's own process.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempt: u32,
    /// The attempts, in the order of their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptHistory>,
    /// The calls of tools, in the order in which the models made them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolCallHistory>,
    /// Where values of the outputs stand in the sources of `found_in`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<FoundHistory>,
    /// The indices of the items of a for-each task that have a valid output, in the order of completion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items_done: Vec<usize>,
    /// The indices of the items that failed, in a for-each task that collects failures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items_failed: Vec<usize>,
    /// The branches that have ended, of a parallel task, in the order in which they ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchHistory>,
    /// The steps of the sub-processes that the task runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<StepHistory>,
    /// Whether an output was committed to the state.
    pub is_committed: bool,
    /// The committed output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The transition that the model chose, if it chose one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<Transition>,
    /// When the step finished.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::millis::option")]
    pub finished: Option<SystemTime>,
    /// The next task; `None` if the run ended here or the step is not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The kind of route that led to the next task, as one word; `None` if the step is not finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
}

/// Where the values of an output stand in their sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundHistory {
    /// The number of the item, in a for-each task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The places.
    pub passages: Vec<Passage>,
}

/// A branch that has ended. Its tasks are steps of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchHistory {
    /// The first task of the branch.
    pub branch: String,
    /// How the branch ended.
    pub outcome: BranchOutcome,
}

/// A transition that a model chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// The name of the chosen task.
    pub go_to: String,
    /// The model's intent for the chosen task.
    pub intent: String,
    /// The step that the model plans after that task.
    pub step_after: String,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(number: &u32) -> bool {
    *number == 1
}

impl StepHistory {
    /// Returns the total usage of its calls, including those of nested steps.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let attempts = self.attempts.iter().map(|attempt| attempt.usage);
        let nested = self.nested.iter().map(Self::usage);
        attempts.chain(nested).fold(Usage::default(), std::ops::Add::add)
    }

    /// Returns the sum of the durations of its calls, including those of nested steps. Waiting for people is
    /// not measured.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let attempts = self.attempts.iter().map(|attempt| attempt.elapsed);
        let nested = self.nested.iter().map(Self::elapsed);
        attempts.chain(nested).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Returns whether the step has finished.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.route.is_some()
    }
}
