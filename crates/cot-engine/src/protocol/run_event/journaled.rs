//! Run events in journals. Their JSON must not change, since journals outlive programs.

use cot_schema::internal::truncate;

use crate::{
    process::tables::Definition,
    protocol::run_event::{
        any_output::AnyOutput,
        event::{IndexEvent, RunEvent, TaskName},
        journaled_attempt::JournaledAttempt,
    },
};

impl IndexEvent {
    /// Returns the event as journals store it: without types, replies and outputs. `None` for an event that
    /// other entries of a journal imply, or that journals do not need.
    #[doc(hidden)]
    pub fn to_journaled(&self, definition: &'static Definition) -> Option<RunEvent> {
        self.to_journaled_by(|task| TaskName::Borrowed(definition.task(*task).about.name))
    }
}

impl<T, O> RunEvent<T, O> {
    fn to_journaled_by(&self, name: impl Fn(&T) -> TaskName) -> Option<RunEvent> {
        Some(match self {
            &Self::TaskStarted { ref task, step } => {
                RunEvent::TaskStarted { task: name(task), step }
            }
            Self::Repaired { task, item, attempt, repairs } => {
                let (item, attempt, repairs) = (*item, *attempt, repairs.clone());
                RunEvent::Repaired { task: name(task), item, attempt, repairs }
            }
            Self::ToolCalled { .. } | Self::ToolReturned { .. } => self.tool_to_journaled(name)?,
            Self::AttemptFailed { task, attempt, will_retry } => {
                let attempt = JournaledAttempt::new(attempt).into_attempt();
                RunEvent::AttemptFailed { task: name(task), attempt, will_retry: *will_retry }
            }
            &Self::ItemDone { ref task, item, usage, elapsed, .. } => {
                let (task, output) = (name(task), AnyOutput::default());
                RunEvent::ItemDone { task, item, output, usage, elapsed }
            }
            Self::ItemFailed { task, item, reason } => {
                RunEvent::ItemFailed { task: name(task), item: *item, reason: reason.clone() }
            }
            Self::BranchEnded { task, branch, outcome } => {
                let (branch, outcome) = (name(branch), outcome.clone());
                RunEvent::BranchEnded { task: name(task), branch, outcome }
            }
            &Self::Committed { ref task, usage, elapsed, .. } => {
                let (task, output) = (name(task), AnyOutput::default());
                RunEvent::Committed { task, output, usage, elapsed }
            }
            Self::Transitioned { task, go_to, intent, step_after, usage, elapsed } => {
                RunEvent::Transitioned {
                    task: name(task),
                    go_to: name(go_to),
                    intent: intent.clone(),
                    step_after: step_after.clone(),
                    usage: *usage,
                    elapsed: *elapsed,
                }
            }
            Self::TaskFinished { task, next, route } => {
                let (task, next) = (name(task), next.as_ref().map(&name));
                RunEvent::TaskFinished { task, next, route: *route }
            }
            Self::Nested { task, item, process, event } => {
                let event = Box::new(event.to_journaled_by(TaskName::clone)?);
                let (task, process) = (name(task), process.clone());
                RunEvent::Nested { task, item: *item, process, event }
            }
            Self::Prompt { .. }
            | Self::RateLimited { .. }
            | Self::Delta { .. }
            | Self::Thought { .. }
            | Self::Partial { .. }
            | Self::ItemsStarted { .. }
            | Self::Asked { .. }
            | Self::Waiting { .. }
            | Self::StateUpdated { .. }
            | Self::Paused
            | Self::Detached
            | Self::Finished { .. } => return None,
        })
    }

    /// Shortens the event of a tool call.
    fn tool_to_journaled(&self, name: impl Fn(&T) -> TaskName) -> Option<RunEvent> {
        match self {
            Self::ToolCalled { task, call, tool, arguments } => {
                let (call, tool, arguments) = (*call, shorten(tool), shorten(arguments));
                Some(RunEvent::ToolCalled { task: name(task), call, tool, arguments })
            }
            Self::ToolReturned { task, call, tool, result, elapsed } => {
                let result = result.as_ref().map(|text| shorten(text));
                let (result, elapsed) = (result.map_err(|text| shorten(text)), *elapsed);
                let (call, tool) = (*call, shorten(tool));
                Some(RunEvent::ToolReturned { task: name(task), call, tool, result, elapsed })
            }
            _ => None,
        }
    }

    /// Returns whether the event is a commit to the state of the run or of a sub-process. Commits of the
    /// sub-processes of items do not count: a for-each task is one step.
    #[doc(hidden)]
    pub fn is_commit(&self) -> bool {
        match self {
            Self::Committed { .. } => true,
            Self::Nested { item: None, event, .. } => event.is_commit(),
            _ => false,
        }
    }
}

/// Maximum length of the arguments and the result of a tool call. The events that answer calls have all of them.
const MAX_TOOL_BYTES: usize = 1000;

fn shorten(text: &str) -> String {
    if text.len() > MAX_TOOL_BYTES {
        format!("{}…", truncate(text, MAX_TOOL_BYTES))
    } else {
        text.to_owned()
    }
}
