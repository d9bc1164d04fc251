//! A sub-process as an object-safe trait.

use std::{
    any::Any,
    fmt,
    ops::{Bound, RangeBounds},
    sync::Arc,
    time::Duration,
};

use cot_model::{ModelRequest, Usage};

use crate::{
    process::{
        limits::{Limits, UnattendedLimit},
        mock_mode::MockMode,
        options::{Fallback, StartError},
        tables::{Definition, TaskIndex},
    },
    protocol::{
        directive::{CallId, Directive},
        event::{Event, EventOutcome},
        key::call_key::VisitKey,
        open_calls::OpenCalls,
        run_event::event::RunEvent,
    },
    snapshot::{data::Snapshot, error::SnapshotError},
    values::{outcome::Ending, panicked::Panic},
};
use cot_template::PartialPrompt;

/// The run of a sub-process, without its types.
pub trait ChildRun: fmt::Debug + Send + Sync {
    /// Returns the tables of the sub-process.
    fn definition(&self) -> &'static Definition;
    /// Starts the run. Called once.
    ///
    /// # Errors
    ///
    /// If the sub-process can't start.
    fn start(&mut self, start: ChildStart<'_>) -> Result<(), StartError>;
    /// Sets what the run shares with others. Called before each poll and each event.
    fn share(&mut self, shared: SharedLimits);
    /// Advances the run until it needs the driver, and adds the directives that should be in flight to `due`.
    /// Returns the ending once the run is over.
    fn poll(&mut self, due: &mut DueDirectives<'_>) -> Option<Ending<TaskIndex>>;
    /// Applies an event to the run.
    fn handle(&mut self, event: Event) -> EventOutcome;
    /// Returns what the run has consumed so far.
    fn totals(&self) -> Totals;
    /// Returns a snapshot of the run.
    ///
    /// # Errors
    ///
    /// If the state or inputs do not serialize.
    fn save(&self) -> Result<Snapshot, SnapshotError>;
    /// Returns the state, type-erased.
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
    /// Returns the events since the last call.
    fn drain_events(&mut self) -> Vec<RunEvent>;
    /// Switches the recording of events on or off.
    fn record(&mut self, on: bool);
    /// Returns whether the run is between two tasks, in its sub-process too if it runs one.
    fn is_at_boundary(&self) -> bool;
    /// Returns the calls that the run waits for.
    fn open_calls(&self) -> &dyn OpenCalls;
    /// Returns the report of a panic that was just caught, located in the innermost process whose code was
    /// running.
    fn panic_report(&self, message: &str) -> Panic;
    /// Returns the model request of the current task.
    ///
    /// # Errors
    ///
    /// If the run is not at a task with a prompt, or a template fails.
    fn prompt(&self) -> Result<ModelRequest, String>;
    /// Returns the prompt of the current task without the omitted fragments.
    ///
    /// # Errors
    ///
    /// If the run is not at a task with a prompt, or a template fails.
    fn partial_prompt(&self, partial: &PartialPrompt) -> Result<String, String>;
}

/// What a sub-process receives from the run around it at its start.
#[derive(Debug)]
pub struct ChildStart<'a> {
    /// The goal of the run around it, used unless the sub-process declares one.
    pub(crate) goal: &'a str,
    pub(crate) mock_mode: Option<MockMode>,
    pub(crate) fallback: Fallback,
    /// The visits of the tasks that run the sub-process, outermost first.
    pub(crate) outer: Arc<[VisitKey]>,
    /// The remaining limits of the run around it.
    pub(crate) limits: Limits,
    pub(crate) unattended: Option<UnattendedLimit>,
    pub(crate) last_call: u64,
    pub(crate) is_recording: bool,
}

/// What concurrent sub-processes share.
#[derive(Debug, Clone, Copy)]
pub struct SharedLimits {
    /// The remaining limits of the run around the sub-process, together with what the sub-process itself has
    /// consumed of them.
    pub(crate) limits: Limits,
    pub(crate) unattended: Option<UnattendedLimit>,
    /// The last call id that was assigned.
    pub(crate) last_call: u64,
}

/// The consumption of a run, including the sub-process that is running.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    pub(crate) usage: Usage,
    pub(crate) steps: u64,
    pub(crate) elapsed: Duration,
    /// The last call id that was assigned.
    pub(crate) last_call: u64,
    /// The number of calls with `effect: once` or `transaction` that took effect or may have.
    pub(crate) acted: u64,
}

/// Collects the directives of a poll, filtered by id.
#[derive(Debug)]
pub struct DueDirectives<'a> {
    selected: Selection,
    directives: &'a mut Vec<Directive>,
}

/// Selects the directives that a poll lists.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Selection {
    All,
    None,
    After(CallId),
    Only(CallId),
}

impl<'a> DueDirectives<'a> {
    pub(crate) const fn new(selected: Selection, directives: &'a mut Vec<Directive>) -> Self {
        Self { selected, directives }
    }

    /// Creates a collection that selects no directive, to advance a run without listing what it waits for.
    pub(crate) const fn none(directives: &'a mut Vec<Directive>) -> Self {
        Self::new(Selection::None, directives)
    }

    /// Returns the range of the selected ids.
    pub(crate) const fn range(&self) -> (Bound<CallId>, Bound<CallId>) {
        match self.selected {
            Selection::All => (Bound::Unbounded, Bound::Unbounded),
            Selection::None => (Bound::Included(CallId(0)), Bound::Excluded(CallId(0))),
            Selection::After(id) => (Bound::Excluded(id), Bound::Unbounded),
            Selection::Only(id) => (Bound::Included(id), Bound::Included(id)),
        }
    }

    /// Returns whether an id is selected.
    pub(crate) fn selects(&self, id: CallId) -> bool {
        self.range().contains(&id)
    }

    /// Returns whether ids up to `newest` can be selected.
    pub(crate) const fn reaches(&self, newest: CallId) -> bool {
        match self.selected {
            Selection::All => true,
            Selection::None => false,
            Selection::After(id) => newest.0 > id.0,
            Selection::Only(id) => newest.0 >= id.0,
        }
    }

    /// Returns the only selected id.
    pub(crate) const fn only(&self) -> Option<CallId> {
        match self.selected {
            Selection::Only(id) => Some(id),
            _ => None,
        }
    }

    /// Adds a directive, if its id is selected.
    pub(crate) fn push(&mut self, directive: Directive) {
        if self.selects(directive.id) {
            self.directives.push(directive);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.directives.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.directives.truncate(len);
    }

    /// Sorts the directives from index `start` on by their ids.
    pub(crate) fn sort(&mut self, start: usize) {
        if let Some(directives) = self.directives.get_mut(start..) {
            directives.sort_by_key(|directive| directive.id);
        }
    }

    /// Sets the task of the directives from index `start` on: the one that runs the sub-process they belong
    /// to.
    pub(crate) fn set_task(&mut self, start: usize, task: TaskIndex) {
        for directive in self.directives.iter_mut().skip(start) {
            directive.task = task;
        }
    }
}
