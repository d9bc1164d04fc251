//! A machine without the type of its process.

use std::sync::Arc;

use cot_engine::{
    CallId, Event, EventOutcome, History, Machine, MachinePoll, PartialPrompt, PromptError,
    ResumeOptions, RunEvent, Snapshot, SnapshotError, UpdateError,
    private::{Definition, Ending},
};
use cot_model::{ModelRequest, Usage};
use serde_json::Value;

use super::process::{Plain, Task};

/// A machine of any process, so that the rest of the harness is compiled once.
pub(super) trait Driver {
    fn definition(&self) -> &'static Definition;
    fn poll_after(&mut self, newest: Option<CallId>) -> MachinePoll<'_, Task, ()>;
    fn handle(&mut self, event: Event) -> EventOutcome;
    fn state(&self) -> &Value;
    fn history(&self) -> &History;
    fn view(&self) -> View;
    fn ending(&self) -> Option<Ending<Task>>;
    fn is_pending(&self, id: CallId) -> bool;
    fn record(&mut self);
    fn drain_events(&mut self) -> Vec<RunEvent<Task, Value>>;
    fn prompt(&self) -> Result<ModelRequest, PromptError>;
    fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, PromptError>;
    fn update_state(&mut self, change: &mut dyn FnMut(&mut Value)) -> Result<(), UpdateError>;
    fn snapshot(&self) -> Result<Snapshot, SnapshotError>;
    /// A machine of the same process, with the same context.
    fn resume(
        &self,
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Box<dyn Driver>, SnapshotError>;
}

/// What can be read of a machine.
#[derive(Debug)]
pub(super) struct View {
    pub(super) task: Option<Task>,
    pub(super) callers: Vec<Task>,
    pub(super) last_failure: Option<Ending<Task>>,
    pub(super) usage: Usage,
    pub(super) steps: u64,
    pub(super) goal: String,
    pub(super) pending_calls: usize,
    pub(super) is_between_tasks: bool,
    pub(super) is_at_boundary: bool,
}

/// A machine with what it needs to be resumed.
pub(super) struct Driven<P: Plain> {
    pub(super) machine: Machine<P>,
    pub(super) context: Arc<P::Context>,
}

impl<P: Plain> Driver for Driven<P> {
    fn definition(&self) -> &'static Definition {
        P::DEFINITION
    }

    fn poll_after(&mut self, newest: Option<CallId>) -> MachinePoll<'_, Task, ()> {
        self.machine.poll_after(newest)
    }

    fn handle(&mut self, event: Event) -> EventOutcome {
        self.machine.handle(event)
    }

    fn state(&self) -> &Value {
        self.machine.state().unwrap()
    }

    fn history(&self) -> &History {
        self.machine.history()
    }

    fn view(&self) -> View {
        let machine = &self.machine;
        View {
            task: machine.task(),
            callers: machine.callers().collect(),
            last_failure: machine.last_failure().map(Ending::Halted),
            usage: machine.usage(),
            steps: machine.steps(),
            goal: machine.goal().to_owned(),
            pending_calls: machine.pending_calls(),
            is_between_tasks: machine.is_between_tasks(),
            is_at_boundary: machine.at_task_boundary(),
        }
    }

    fn ending(&self) -> Option<Ending<Task>> {
        self.machine.ending()
    }

    fn is_pending(&self, id: CallId) -> bool {
        self.machine.is_pending(id)
    }

    fn record(&mut self) {
        self.machine.record(true);
    }

    fn drain_events(&mut self) -> Vec<RunEvent<Task, Value>> {
        self.machine.drain_events().collect()
    }

    fn prompt(&self) -> Result<ModelRequest, PromptError> {
        self.machine.prompt()
    }

    fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, PromptError> {
        self.machine.partial_prompt(partial)
    }

    fn update_state(&mut self, change: &mut dyn FnMut(&mut Value)) -> Result<(), UpdateError> {
        self.machine.update_state(|state| change(state))
    }

    fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        self.machine.snapshot()
    }

    fn resume(
        &self,
        snapshot: Snapshot,
        options: &ResumeOptions,
    ) -> Result<Box<dyn Driver>, SnapshotError> {
        let context = Arc::clone(&self.context);
        let run_id = self.machine.run_id();
        let machine =
            Machine::resume_with_context(snapshot, options, Arc::clone(&context), run_id)?;
        Ok(Box::new(Self { machine, context }))
    }
}
