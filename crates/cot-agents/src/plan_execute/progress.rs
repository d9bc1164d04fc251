//! Progress of a run.

use std::sync::Arc;

use cot_schema::Issues;
use serde_json::Value;

use crate::plan_execute::{action::Action, context::Ending, todo::list::TodoList};

/// A function that receives the progress of a run.
pub(super) type Observer = Arc<dyn Fn(&Progress) + Send + Sync>;

/// An event of a run, which [`ChainOfThought::observe`](super::ChainOfThought::observe) passes to its
/// function.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// The plan is complete.
    Planned {
        /// The tasks of the plan.
        todos: TodoList,
        /// The action that the model requests next.
        action: Action,
    },
    /// The model completed a step.
    Worked {
        /// The number of the step, from 1.
        step: u64,
        /// The task of the step; empty if the reply does not name it.
        current: String,
        /// The result of the task; empty if the reply has none.
        result: String,
        /// The updated tasks.
        todos: TodoList,
        /// The action that the model requests next.
        action: Action,
    },
    /// A reply was unusable, and the model is asked again.
    Rejected {
        /// The issues that are sent to the model.
        issues: Issues,
    },
    /// A tool call starts.
    Calling {
        /// The name of the tool.
        name: String,
        /// The arguments.
        arguments: Value,
    },
    /// A tool call ended.
    Called {
        /// The name of the tool.
        name: String,
        /// The result or the error.
        result: Result<String, String>,
    },
    /// The run ended.
    Ended {
        /// The reason.
        ending: Ending,
        /// The final answer, if there is one.
        answer: Option<String>,
    },
}
