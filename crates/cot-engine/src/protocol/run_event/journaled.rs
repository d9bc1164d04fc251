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
        if !self.is_journaled() {
            return None;
        }
        let name = |task| TaskName::Borrowed(definition.task(task).about.name);
        let mut event = self.clone().map(name, |_| AnyOutput::default());
        event.shorten();
        Some(event)
    }
}

impl RunEvent {
    /// Drops the replies and outputs of the event, and cuts the texts of its tool call.
    fn shorten(&mut self) {
        match self {
            Self::ToolCalled { tool, arguments, .. } => {
                cut(tool);
                cut(arguments);
            }
            Self::ToolReturned { tool, result: Ok(text) | Err(text), .. } => {
                cut(tool);
                cut(text);
            }
            Self::AttemptFailed { attempt, .. } => {
                *attempt = JournaledAttempt::new(attempt).into_attempt();
            }
            Self::Committed { output, .. } | Self::ItemDone { output, .. } => {
                *output = AnyOutput::default();
            }
            Self::Nested { event, .. } => event.shorten(),
            _ => {}
        }
    }
}

impl<T, O> RunEvent<T, O> {
    /// Returns whether journals contain the event.
    fn is_journaled(&self) -> bool {
        match self {
            Self::Nested { event, .. } => event.is_journaled(),
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
            | Self::Finished { .. } => false,
            _ => true,
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

fn cut(text: &mut String) {
    if text.len() > MAX_TOOL_BYTES {
        let end = truncate(text, MAX_TOOL_BYTES).len();
        text.truncate(end);
        text.push('…');
    }
}
