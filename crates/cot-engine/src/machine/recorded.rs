//! The events of a machine, as its typed side records them.

use crate::{
    machine::tasks::task_from_index,
    process::{
        process::Process,
        tables::{Definition, TaskIndex},
    },
    protocol::run_event::{
        any_output::AnyOutput,
        event::{IndexEvent, PendingOutput, ProcessEvent, RunEvent, TaskName},
    },
};

/// An event with numbers for tasks, and its output. It does not have the types of its process, so that lists of
/// events are compiled once for all processes.
#[derive(Debug, Clone)]
pub struct RecordedEvent {
    event: IndexEvent,
    /// The value of the output, if it is an event with one.
    output: Option<AnyOutput>,
}

impl RecordedEvent {
    pub(super) const fn new(event: IndexEvent, output: Option<AnyOutput>) -> Self {
        Self { event, output }
    }

    /// Returns the event without its output.
    pub const fn untyped(&self) -> &IndexEvent {
        &self.event
    }

    /// Converts the event to the types of its process; `None` if it lacks its output.
    pub fn into_typed<P: Process>(self) -> Option<ProcessEvent<P>> {
        let Self { event, output } = self;
        let output = |_| output.and_then(AnyOutput::into_value).ok_or(());
        event.try_map(|task| Ok(task_from_index::<P>(task)), output).ok()
    }

    pub(super) fn into_erased(self, definition: &'static Definition) -> Option<RunEvent> {
        let Self { event, output } = self;
        let name = |task: TaskIndex| Ok(TaskName::Borrowed(definition.task(task).about.name));
        let output = |pending: PendingOutput| {
            output.map(|output| output.with_json(pending.json.into())).ok_or(())
        };
        event.try_map(name, output).ok()
    }
}

/// An event without an output.
impl From<IndexEvent> for RecordedEvent {
    fn from(event: IndexEvent) -> Self {
        Self::new(event, None)
    }
}
