//! What a run is given besides its state, and why it may not start.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a run is given besides its state; what is set here comes before the declaration.
///
/// ```
/// let mut options = cot_core::MachineOptions::default();
/// options.max_steps = Some(100);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MachineOptions {
    /// The goal.
    pub goal: Option<String>,
    /// How many times the run may come to tasks that do something.
    pub max_steps: Option<u64>,
    /// How long the run may take.
    pub timeout: Option<Duration>,
}

/// Why a machine did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A run is under way.
    #[error("the machine is busy: a run is under way")]
    Busy,
    /// The process uses a goal, and neither declares one nor was given one.
    #[error("the process uses a goal, and has none: declare one, or give one in the options")]
    MissingGoal,
    /// The output type of a task has a schema that nothing can be validated with.
    #[error("the output type of task `{task}` has an unusable schema: {reason}")]
    BadSchema {
        /// The task.
        task: &'static str,
        /// What is wrong with the schema.
        reason: String,
    },
    /// The template of the goal could not be written.
    #[error("the template of the goal could not be written: {0}")]
    Template(String),
}
