//! What a run is given besides its state, and why it may not start.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    process::{mock_mode::MockMode, reserved::ReservedField},
    values::budget::Budget,
};

/// What a run is given besides its state; what is set here comes before the declaration.
///
/// ```
/// let mut options = cot_core::MachineOptions::default();
/// options.max_steps = Some(100);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MachineOptions {
    /// The goal.
    pub goal: Option<String>,
    /// How many times the run may come to tasks that do something. Those of the processes that it
    /// runs count too.
    pub max_steps: Option<u64>,
    /// How long the run may take. Waiting for people and for timers does not count.
    pub timeout: Option<Duration>,
    /// What the run may consume, in place of the declared budget.
    pub budget: Option<Budget>,
    /// Which tasks are answered by their `mock`. A task's own `mock_mode` comes before it.
    pub mock_mode: Option<MockMode>,
    /// When the next engine of a task is asked.
    pub fallback: Fallback,
}

/// When a task that names several engines asks the next one, with retries of its own.
///
/// A reply that is not valid never moves a task to another engine: it is asked again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fallback {
    /// When the engine can't be reached: its own retries have failed.
    #[default]
    Unreachable,
    /// Also when the engine refuses to answer.
    Refused,
}

/// Why a machine did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A run is under way.
    #[error("the machine is busy: a run is under way")]
    Busy,
    /// The process uses a goal, and has none.
    #[error("the process uses a goal, and has none: declare one, or give one in the options")]
    MissingGoal,
    /// The type of an output, or of inputs, has a schema that nothing can be validated with.
    #[error("a type of task `{task}` has an unusable schema: {reason}")]
    BadSchema {
        /// The task.
        task: &'static str,
        /// What is wrong with the schema.
        reason: String,
    },
    /// The type of an output has a field that a reply can't have.
    #[error(transparent)]
    ReservedField(#[from] ReservedField),
    /// The template of the goal could not be written.
    #[error("the template of the goal could not be written: {0}")]
    Template(String),
    /// Mocks are to answer, and tasks have none.
    #[error("mock mode is on, and these tasks have no `mock`: {}", .tasks.join(", "))]
    NoMock {
        /// The tasks that would ask a model.
        tasks: Vec<&'static str>,
    },
    /// The mock mode names a task that the process does not have.
    #[error("the mock mode names the task `{task}`, and the process has no such task{}", or_meant(.suggestion.as_deref()))]
    UnknownTask {
        /// The name.
        task: String,
        /// A task that is spelled alike.
        suggestion: Option<&'static str>,
    },
    /// The task that a run is to start with takes inputs.
    #[error("task `{task}` takes inputs, and none were given")]
    MissingInputs {
        /// The task.
        task: &'static str,
    },
}

fn or_meant(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}
