//! The progress of a run, as a function of its events.

use cot_engine::{Failure, ProcessEvent, RunEvent};
use cot_schema::Issues;
use serde_json::Value;

use super::{
    process::{PlanExecute, PlanExecuteOutput},
    tool,
};
use crate::{
    json_or_text,
    plan_execute::{action::Action, context::Context, ending::Ending, todo::list::TodoList},
    tools::ToolSet,
};

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

/// Returns the progress that an event means. `state` is that after the last commit. The end of a run is not
/// among its events, since an end in a store has none.
pub(super) fn progress(
    event: &ProcessEvent<PlanExecute>,
    state: &Context,
    tools: &ToolSet,
) -> Option<Progress> {
    match event {
        RunEvent::Committed { output, .. } => committed(output, state),
        RunEvent::AttemptFailed { attempt, will_retry: true, .. }
            if attempt.failure == Failure::Rejected =>
        {
            Some(Progress::Rejected { issues: attempt.issues.clone() })
        }
        RunEvent::ToolCalled { tool, arguments, .. } => {
            let arguments = json_or_text(arguments);
            Some(Progress::Calling { name: tool.clone(), arguments })
        }
        RunEvent::ToolReturned { tool, result, .. } => {
            let result = match result {
                Ok(text) => Ok(tool::result_text(text)),
                Err(error) => Err(tool::error_text(tools, tool, error)),
            };
            Some(Progress::Called { name: tool.clone(), result })
        }
        _ => None,
    }
}

/// Returns the progress that a committed reply means.
fn committed(output: &PlanExecuteOutput, state: &Context) -> Option<Progress> {
    let (todos, action) = (state.todos.clone(), state.action.clone()?);
    match output {
        _ if matches!(state.ending, Some(Ending::Unreadable(_))) => None,
        PlanExecuteOutput::Plan(_) => Some(Progress::Planned { todos, action }),
        PlanExecuteOutput::Execute(reply) => {
            let (current, result) = (reply.current.clone(), reply.result.clone());
            Some(Progress::Worked { step: state.steps, current, result, todos, action })
        }
        _ => None,
    }
}
