//! A machine without the types of its process.

use std::{any::Any, sync::Arc};

use cot_model::Usage;

use crate::{
    machine::recorded::RecordedEvent,
    process::{
        child::{DueDirectives, Selection},
        host::ProcessHost,
        mock_mode::MockMode,
        options::MachineOptions,
        tables::{Definition, TaskIndex},
    },
    protocol::{
        directive::{CallId, Directive, MachinePoll},
        event::{Event, EventOutcome},
    },
    run::{position::Position, run::Run, start::check_mock_mode},
    snapshot::{data::Snapshot, error::SnapshotError},
    values::{
        catch::catch_panic, history::HistoryEntry, outcome::Ending, panicked::describe_panic,
        update_error::UpdateError,
    },
};

/// A machine without the types of its process, for code that is compiled once for all processes: tasks are
/// numbers, and everything beyond the required methods is a method of `dyn AnyMachine`.
pub trait AnyMachine: Send {
    /// Returns the tables of the process.
    fn definition(&self) -> &'static Definition;
    /// Returns the current or finished run; `None` before the first start.
    fn parts(&self) -> Option<RunParts<'_>>;
    /// Returns the current or finished run, to advance it.
    fn parts_mut(&mut self) -> Option<RunPartsMut<'_>>;
    /// Switches the recording of events on or off.
    fn record(&mut self, on: bool);
    /// Changes the state from outside between two tasks. If the change panics, the state is unchanged.
    ///
    /// # Errors
    ///
    /// If the change panics, a task is in progress, or no run is in progress.
    fn update_any_state(&mut self, change: AnyUpdate) -> Result<(), UpdateError>;
}

/// Returns the next task of a run that is between two tasks, where it can be changed from outside.
pub(super) fn task_after_boundary(run: &Run) -> Result<TaskIndex, UpdateError> {
    match &run.position {
        Position::BetweenTasks(arrival) => Ok(arrival.task),
        Position::Finished(_) => Err(UpdateError::Over),
        _ => Err(UpdateError::InTask),
    }
}

/// A change of the state whose type only it knows.
pub type AnyUpdate = Box<dyn FnOnce(&mut dyn Any) + Send>;

/// A run, and the typed side of its machine.
pub struct RunParts<'a> {
    pub(super) run: &'a Run,
    pub(super) host: &'a dyn ProcessHost,
}

/// A run to be advanced, the typed side of its machine, and the directives of the last poll.
pub struct RunPartsMut<'a> {
    pub(super) run: &'a mut Run,
    pub(super) host: &'a mut dyn ProcessHost,
    pub(super) directives: &'a mut Vec<Directive>,
}

impl dyn AnyMachine + '_ {
    fn run(&self) -> Option<&Run> {
        self.parts().map(|parts| parts.run)
    }

    /// Advances the run until it needs its driver, and lists the directives with ids above `newest` that should
    /// be in flight.
    pub fn poll_after(&mut self, newest: Option<CallId>) -> MachinePoll<'_, TaskIndex, ()> {
        self.poll_selected(newest.map_or(Selection::All, Selection::After))
    }

    /// Advances the run until it needs its driver, and lists at most the directive with this id.
    pub fn poll_only(&mut self, id: Option<CallId>) -> MachinePoll<'_, TaskIndex, ()> {
        self.poll_selected(id.map_or(Selection::All, Selection::Only))
    }

    fn poll_selected(&mut self, selected: Selection) -> MachinePoll<'_, TaskIndex, ()> {
        let Some(RunPartsMut { run, host, directives }) = self.parts_mut() else {
            return MachinePoll::Idle;
        };
        host.forget_events();
        directives.clear();
        match run.poll(host, &mut DueDirectives::new(selected, directives)) {
            None => MachinePoll::Waiting(directives),
            Some(_) => MachinePoll::Finished(()),
        }
    }

    /// Removes and returns the recorded events.
    pub fn drain_recorded(&mut self) -> impl Iterator<Item = RecordedEvent> + '_ {
        let host = self.parts_mut().map(|parts| parts.host);
        host.map(|host| host.events().drain(..)).into_iter().flatten()
    }

    /// Handles an event. An event that does not answer a pending directive changes nothing.
    pub fn handle(&mut self, event: Event) -> EventOutcome {
        let Some(RunPartsMut { run, host, directives }) = self.parts_mut() else {
            return EventOutcome::NotRunning;
        };
        host.forget_events();
        // Directives share data with the run, such as prompts, which must not outlive its use.
        directives.clear();
        run.handle(event, host)
    }

    /// Returns whether the run is between two tasks, in its sub-process too if it runs one.
    pub fn at_task_boundary(&self) -> bool {
        self.run().is_some_and(Run::is_at_boundary)
    }

    /// Returns whether the machine itself is between two tasks, not only a sub-process.
    pub fn is_between_tasks(&self) -> bool {
        self.run().is_some_and(|run| matches!(run.position, Position::BetweenTasks(_)))
    }

    /// Returns whether a migration moved the run, or its sub-process, when it was resumed. Events that were
    /// stored after its snapshot answer calls that it no longer waits for.
    pub fn is_moved(&self) -> bool {
        self.run().is_some_and(|run| run.facts.is_moved)
    }

    /// Replaces the mock mode of the run, between two tasks. A mode that the process does not support changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// If a task is in progress or no run is; if the mode names an unknown task, or a task has no mock that needs
    /// one.
    pub fn set_mock_mode(&mut self, mode: MockMode) -> Result<(), UpdateError> {
        let run = self.parts_mut().ok_or(UpdateError::Over)?.run;
        task_after_boundary(run)?;
        let facts = &mut run.facts;
        let options = MachineOptions { mock_mode: Some(mode), ..(*facts.options).clone() };
        check_mock_mode(facts.definition, facts.definition.tasks, &options)?;
        facts.options = Arc::new(options);
        Ok(())
    }

    /// Returns the name of a task of the process.
    pub fn task_name(&self, task: TaskIndex) -> &'static str {
        self.definition().task(task).about.name
    }

    /// Returns the task at which the run is or has ended.
    pub fn task(&self) -> Option<TaskIndex> {
        self.run().map(Run::task)
    }

    /// Returns the ending of the run, once it has ended.
    pub fn ending(&self) -> Option<&Ending<TaskIndex>> {
        self.run()?.ending()
    }

    /// Returns the usage of all model calls of the run.
    pub fn usage(&self) -> Usage {
        self.run().map_or_else(Usage::default, |run| run.totals().usage)
    }

    /// Returns the number of started tasks.
    pub fn steps(&self) -> u64 {
        self.run().map_or(0, |run| run.totals().steps)
    }

    /// Returns the number of directives that the machine waits for, after a poll.
    pub fn pending_calls(&self) -> usize {
        self.run().map_or(0, |run| run.open_calls().counts().all)
    }

    /// Returns whether the machine waits for the answer to this directive.
    pub fn is_pending(&self, id: CallId) -> bool {
        self.run().is_some_and(|run| run.open_calls().contain(id))
    }

    /// Returns the directive of the human task that the run or a sub-process waits for.
    pub fn question(&mut self) -> Option<Directive> {
        let waits = self.run().is_some_and(|run| run.open_calls().counts().people > 0);
        let directives = waits.then(|| self.poll_after(None).directives())?;
        directives.iter().find(|directive| directive.as_question().is_some()).cloned()
    }

    /// Returns a snapshot of the run, at any time.
    ///
    /// # Errors
    ///
    /// If the machine has not been started, or the state does not serialize to JSON.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let RunParts { run, host } = self.parts().ok_or(SnapshotError::Idle)?;
        let taken = catch_panic(|| run.save(host));
        taken.unwrap_or_else(|payload| Err(SnapshotError::Panicked(describe_panic(&*payload))))
    }

    /// Adds an entry to the history, subject to its bound. A process without a history ignores it.
    pub fn add_entry(&mut self, entry: HistoryEntry) {
        if let Some(RunPartsMut { run, host, .. }) = self.parts_mut()
            && let Some(max) = run.facts.max_items()
        {
            run.facts.push_history(entry, max, host);
        }
    }
}
