//! Options of a run, and the errors of its start.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    process::{
        examples::task_examples::InvalidExampleError, mock_mode::MockMode,
        reserved::ReservedFieldError,
    },
    values::budget::Budget,
};
use cot_template::did_you_mean;

/// Options of a run. They take precedence over the declaration.
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
    /// Maximum number of started tasks, not counting gateways and terminals. Tasks of sub-processes count
    /// too.
    pub max_steps: Option<u64>,
    /// Time limit of the run. Time spent waiting for people and timers does not count.
    pub timeout: Option<Duration>,
    /// The budget, instead of the declared one.
    pub budget: Option<Budget>,
    /// The tasks that are answered by their `mock`. The `mock_mode` of a task takes precedence.
    pub mock_mode: Option<MockMode>,
    /// When a task falls back to its next engine.
    pub fallback: Fallback,
}

/// When a task with several engines falls back to the next one, which has retries of its own.
///
/// An invalid reply never causes a fallback: the same engine is asked again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fallback {
    /// If the engine can't be reached after its own retries.
    #[default]
    Unreachable,
    /// Also if the engine refuses to answer.
    Refused,
}

/// The error of starting a machine.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A run is under way.
    #[error("the machine is busy: a run is under way")]
    Busy,
    /// The process uses a goal, and none is declared or given.
    #[error("the process uses a goal, and has none: declare one, or give one in the options")]
    MissingGoal,
    /// The schema of an output or of inputs does not compile.
    #[error("a type of task `{task}` has an unusable schema: {reason}")]
    BadSchema {
        /// The task.
        task: &'static str,
        /// The error of the schema.
        reason: String,
    },
    /// A source of tools lacks a tool that the process names.
    #[error("the source of tools `{name}` has no tool `{tool}`{}", did_you_mean(.suggestion.as_deref()))]
    MissingTool {
        /// The name of the source in the process.
        name: &'static str,
        /// The tool.
        tool: &'static str,
        /// A tool of the source with a similar name.
        suggestion: Option<String>,
    },
    /// A tool of a source with `only: all` has a name that can't be called.
    #[error(
        "the source of tools `{name}` has a tool with the name {tool:?}: a name has 1 to 128 bytes of letters, digits and \
         characters of `_-.:/`"
    )]
    ToolName {
        /// The name of the source in the process.
        name: &'static str,
        /// The name of the tool; the beginning of a long one.
        tool: String,
    },
    /// Two tools of a task have the same name, one of them at least from a source with `only: all`.
    #[error(
        "the tool `{tool}` exists twice: {}; a call names its tool, so give one of the two another name",
        both_tools(.first, .second)
    )]
    DuplicateTool {
        /// The name by which the tool is called.
        tool: String,
        /// The name of the first tool or source in the process.
        first: &'static str,
        /// The name of the second one.
        second: &'static str,
    },
    /// The options raise or leave out a limit on which the proof of `at_most` rests.
    #[error(
        "the process promises `at_most`, which rests on a `{limit}` of {proven}: a run can have a lower limit, not a \
         higher one or none"
    )]
    RaisedLimit {
        /// The limit.
        limit: &'static str,
        /// Its value in the declaration.
        proven: u64,
    },
    /// The type of an output has a field whose name is reserved.
    #[error(transparent)]
    ReservedField(#[from] ReservedFieldError),
    /// The examples of a task can't be used.
    #[error(transparent)]
    InvalidExample(#[from] InvalidExampleError),
    /// The template of the goal failed.
    #[error("the template of the goal failed: {0}")]
    Template(String),
    /// Mock mode is on, and tasks without a `mock` would ask a model.
    #[error("mock mode is on, and these tasks have no `mock`: {}", .tasks.join(", "))]
    NoMock {
        /// The tasks that would ask a model.
        tasks: Vec<&'static str>,
    },
    /// The mock mode names a task that the process does not have.
    #[error("the mock mode names the task `{task}`, and the process has no such task{}", or_meant(.suggestion.as_deref()))]
    UnknownTask {
        /// The unknown name.
        task: String,
        /// A task with a similar name.
        suggestion: Option<&'static str>,
    },
    /// The first task of the run takes inputs, and none were given.
    #[error("task `{task}` takes inputs, and none were given")]
    MissingInputs {
        /// The task.
        task: &'static str,
    },
}

fn both_tools(first: &str, second: &str) -> String {
    match first == second {
        true => format!("the source `{first}` lists it two times"),
        false => format!("`{first}` and `{second}` have it"),
    }
}

fn or_meant(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}
