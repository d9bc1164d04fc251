//! The events of a machine, as its typed side records them.

use serde_json::value::RawValue;

use crate::{
    machine::tasks::task_from_index,
    process::{
        process::Process,
        tables::{Definition, TaskIndex},
    },
    protocol::run_event::{
        any_output::AnyOutput,
        event::{IndexEvent, ProcessEvent, RunEvent, TaskName},
    },
};

/// An event with numbers for tasks, and its output.
pub struct RecordedEvent<P: Process> {
    event: IndexEvent,
    /// The output, if it is an event with one.
    output: Option<P::Output>,
}

impl<P: Process> RecordedEvent<P> {
    pub(super) const fn new(event: IndexEvent, output: Option<P::Output>) -> Self {
        Self { event, output }
    }

    /// Returns the event without the types of the process.
    pub const fn untyped(&self) -> &IndexEvent {
        &self.event
    }

    /// Converts the event to the types of the process; `None` if it lacks its output.
    pub fn into_typed(self) -> Option<ProcessEvent<P>> {
        let Self { event, output } = self;
        event.try_map(|task| Ok(task_from_index::<P>(task)), |_| output.ok_or(())).ok()
    }

    pub(super) fn into_erased(self) -> Option<RunEvent> {
        let output = |json: Box<RawValue>| Some(AnyOutput::new(self.output?, json.into()));
        erase(self.event, output, P::DEFINITION)
    }
}

/// Converts an event without an output to the types of a process; `None` if it needs one.
pub fn typed_event<P: Process>(event: IndexEvent) -> Option<ProcessEvent<P>> {
    RecordedEvent::<P>::new(event, None).into_typed()
}

fn erase(
    event: IndexEvent,
    output: impl FnOnce(Box<RawValue>) -> Option<AnyOutput>,
    definition: &'static Definition,
) -> Option<RunEvent> {
    let name = |task: TaskIndex| Ok(TaskName::Borrowed(definition.task(task).about.name));
    event.try_map(name, |pending| output(pending.json).ok_or(())).ok()
}
