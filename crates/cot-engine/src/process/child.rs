//! A process that a task of another process runs, without its types.

use std::{
    any::Any,
    fmt,
    ops::{Bound, RangeBounds},
    time::Duration,
};

use cot_model::{ModelRequest, Usage};

use crate::{
    process::{
        limits::Limits,
        mock_mode::MockMode,
        options::{Fallback, StartError},
        tables::{Definition, TaskIndex},
    },
    protocol::{
        directive::{CallId, Directive},
        event::{Event, Handled},
        key::VisitKey,
        run_event::event::RunEvent,
    },
    snapshot::{data::Snapshot, error::SnapshotError},
    template::partial::PartialPrompt,
    values::{outcome::Ending, panicked::Panic},
};

/// A run within a run.
pub trait ChildRun: fmt::Debug + Send + Sync {
    /// Returns the tables of the process.
    fn definition(&self) -> &'static Definition;
    /// Starts the run, once.
    ///
    /// # Errors
    ///
    /// Why the process can't start.
    fn start(&mut self, start: ChildStart<'_>) -> Result<(), StartError>;
    /// Advances until the driver is needed, and lists what it has to do; returns the ending once the run is
    /// over.
    fn poll(&mut self, due: &mut Due<'_>) -> Option<Ending<TaskIndex>>;
    /// Applies an event.
    fn handle(&mut self, event: Event) -> Handled;
    /// Returns what the run has consumed so far.
    fn totals(&self) -> Totals;
    /// Returns the run as data.
    ///
    /// # Errors
    ///
    /// Why the run can't be data.
    fn save(&self) -> Result<Snapshot, SnapshotError>;
    /// Returns the state.
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
    /// Returns the events since the last call.
    fn drain_events(&mut self) -> Vec<RunEvent>;
    /// Switches the recording of events on or off.
    fn record(&mut self, on: bool);
    /// Switches the segments of prompts on or off.
    fn record_segments(&mut self, on: bool);
    /// Returns whether the run, and a process within it, is between two tasks.
    fn is_at_boundary(&self) -> bool;
    /// Returns whether the run waits for the answer to a directive.
    fn is_pending(&self, id: CallId) -> bool;
    /// Returns how many directives the run waits for.
    fn pending_calls(&self) -> usize;
    /// Returns whether the run waits for a person.
    fn waits_for_person(&self) -> bool;
    /// Returns a panic that has just happened: in the innermost process whose code was being run.
    fn panic(&self, said: &str) -> Panic;
    /// Returns the request of the task at which the run stands.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn prompt(&self, records_segments: bool) -> Result<ModelRequest, String>;
    /// Returns the prompt of the task at which the run stands, without what is to be left out.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, String>;
}

/// What a run within a run takes over at its start.
#[derive(Debug)]
pub struct ChildStart<'a> {
    /// The goal of the run around it.
    pub(crate) goal: &'a str,
    pub(crate) mock_mode: Option<MockMode>,
    pub(crate) fallback: Fallback,
    /// What the run around it has left.
    pub(crate) limits: Limits,
    pub(crate) last_call: u64,
    pub(crate) is_recording: bool,
    pub(crate) records_segments: bool,
}

/// What a run has consumed, with a process within it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    pub(crate) usage: Usage,
    pub(crate) steps: u64,
    pub(crate) elapsed: Duration,
    /// The last call id that was given out.
    pub(crate) last_call: u64,
}

/// The directives that a poll lists.
#[derive(Debug)]
pub struct Due<'a> {
    selected: Selected,
    directives: &'a mut Vec<Directive>,
}

/// Which directives a poll lists.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Selected {
    All,
    After(CallId),
    Only(CallId),
}

impl<'a> Due<'a> {
    pub(crate) const fn new(selected: Selected, directives: &'a mut Vec<Directive>) -> Self {
        Self { selected, directives }
    }

    /// Returns the ids of the calls that are listed.
    pub(crate) const fn range(&self) -> (Bound<CallId>, Bound<CallId>) {
        match self.selected {
            Selected::All => (Bound::Unbounded, Bound::Unbounded),
            Selected::After(id) => (Bound::Excluded(id), Bound::Unbounded),
            Selected::Only(id) => (Bound::Included(id), Bound::Included(id)),
        }
    }

    /// Lists a directive, if it is selected.
    pub(crate) fn push(&mut self, directive: Directive) {
        if self.range().contains(&directive.id) {
            self.directives.push(directive);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.directives.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.directives.truncate(len);
    }

    /// Puts the task that runs a process before the directives of that process, from an index on.
    pub(crate) fn nest(&mut self, start: usize, task: TaskIndex, outer: &VisitKey) {
        for directive in self.directives.iter_mut().skip(start) {
            directive.nest(task, outer.clone());
        }
    }
}
