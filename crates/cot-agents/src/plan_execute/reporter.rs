//! Translates the events of a run into its progress.

use cot_engine::{ProcessEvent, RunEvent};

use super::{
    context::Context,
    process::{PlanExecute, PlanExecuteOutput},
    progress::{Observer, Progress},
    tool,
};
use crate::tools::ToolSet;

/// Calls the observer of a chain.
pub(super) struct Reporter {
    pub(super) observer: Observer,
    pub(super) tools: ToolSet,
}

impl Reporter {
    /// Returns the progress that an event means. `state` is that after the last commit.
    pub(super) fn progress(
        &self,
        event: &ProcessEvent<PlanExecute>,
        state: &Context,
    ) -> Option<Progress> {
        match event {
            RunEvent::Committed { output, .. } => committed(output, state),
            RunEvent::ToolCalled { tool, arguments, .. } => Some(Progress::Calling {
                name: tool.clone(),
                arguments: tool::read_json(arguments),
            }),
            RunEvent::ToolReturned { tool, result, .. } => {
                let result = match result {
                    Ok(text) => Ok(tool::result_text(text)),
                    Err(error) => Err(tool::error_text(&self.tools, tool, error)),
                };
                Some(Progress::Called { name: tool.clone(), result })
            }
            _ => None,
        }
    }

    /// Passes the progress to the observer, if there is any.
    pub(super) fn report(&self, progress: Option<Progress>) {
        if let Some(progress) = progress {
            (self.observer)(&progress);
        }
    }
}

/// Returns the progress that a committed reply means. The end of the run is reported elsewhere.
fn committed(output: &PlanExecuteOutput, state: &Context) -> Option<Progress> {
    let (PlanExecuteOutput::Plan(reply) | PlanExecuteOutput::Execute(reply)) = output else {
        return None;
    };
    if let Some(issues) = state.issues.clone() {
        return Some(Progress::Rejected { issues });
    }
    let (step, todos, action) = (state.steps, state.todos.clone(), state.action.clone()?);
    match output {
        _ if reply.issues.is_some() => None,
        PlanExecuteOutput::Plan(_) => Some(Progress::Planned { todos, action }),
        _ => {
            let (current, result) = (reply.current.clone(), reply.result.clone());
            Some(Progress::Worked { step, current, result, todos, action })
        }
    }
}
