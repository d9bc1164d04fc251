//! What happens in a run.

use cot_schema::Issues;
use serde_json::Value;

use crate::plan_execute::{action::Action, context::Ending, todo::list::TodoList};

/// What happens in a run, as [`ChainOfThought::observe`](super::ChainOfThought::observe) tells it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// The plan is made.
    Planned {
        /// Its tasks.
        todos: TodoList,
        /// What the model wants to happen next.
        action: Action,
    },
    /// The model has worked.
    Worked {
        /// The number of the step, from 1.
        step: u64,
        /// The task that it worked on; empty where it didn't say.
        current: String,
        /// What came of it; empty where it didn't say.
        result: String,
        /// The tasks now.
        todos: TodoList,
        /// What the model wants to happen next.
        action: Action,
    },
    /// A reply could not be used, and the model is asked again.
    Rejected {
        /// The issue with it, as it is sent to the model.
        issues: Issues,
    },
    /// A tool begins.
    Calling {
        /// Its name.
        name: String,
        /// What it is called with.
        arguments: Value,
    },
    /// A tool has ended.
    Called {
        /// Its name.
        name: String,
        /// What it gave, or why it failed.
        result: Result<String, String>,
    },
    /// The run has stopped.
    Ended {
        /// Why.
        ending: Ending,
        /// The final answer, where there is one.
        answer: Option<String>,
    },
}
