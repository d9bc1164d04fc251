//! What a run is given besides its state, and why it may not start.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::MockMode;
use crate::{
    Budget, OutputSchema,
    blueprint::{Definition, TaskDefinition},
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

/// A field of an output whose name marks a transition: a reply that has it would be read as a choice of
/// where to go. The derive refuses such a field where it sees it; it does not see the fields of types that
/// are flattened, transparent, or variants without a name of their own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the output of task `{task}` of `{process}` has the field `{field}` (`{place}` in its schema), which marks \
     a transition in a reply: rename it, as with `#[serde(rename = \"…\")]`, or put its type into a field of its \
     own"
)]
#[non_exhaustive]
pub struct ReservedField {
    /// The process.
    pub process: &'static str,
    /// The task whose output has the field.
    pub task: &'static str,
    /// The field, as it is called in JSON.
    pub field: &'static str,
    /// Where the schema of the output declares it, as a JSON pointer.
    pub place: String,
}

impl ReservedField {
    /// The field of the task's output, if it has one and a model is asked for it.
    pub(crate) fn find(
        definition: &'static Definition,
        task: &TaskDefinition,
        schema: Option<&OutputSchema>,
    ) -> Option<Self> {
        task.kind.ai().filter(|ai| !ai.reasons)?;
        let key = schema?.reserved()?;
        Some(Self {
            process: definition.about.name,
            task: task.about.name,
            field: key.name,
            place: key.place.clone(),
        })
    }
}
