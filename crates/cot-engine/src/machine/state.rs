//! Queries of a run, and changes of its state.

use std::sync::Arc;

use cot_model::Usage;
use serde::Serialize;

use crate::{
    machine::{
        any_machine::task_after_boundary,
        machine::{ActiveRun, Machine},
        tasks::{task_from_index, typed_ending},
    },
    process::process::Process,
    protocol::directive::CallId,
    snapshot::{data::Snapshot, error::SnapshotError},
    values::{
        history::{History, HistoryEntry},
        outcome::{Ending, Halt},
        update_error::UpdateError,
    },
};

impl<P: Process> Machine<P> {
    /// Returns whether the machine has never been started.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.active.is_none()
    }

    /// Returns whether the run is between two tasks, in its sub-process too if it runs one: the next poll
    /// starts a task or ends the run.
    #[must_use]
    pub fn at_task_boundary(&self) -> bool {
        self.erased().at_task_boundary()
    }

    /// Returns the task at which the run is or has ended.
    #[must_use]
    pub fn task(&self) -> Option<P::Task> {
        self.run().map(|run| task_from_index::<P>(run.task()))
    }

    /// Returns the state, once the machine has been started.
    #[must_use]
    pub fn state(&self) -> Option<&P::State> {
        self.active.as_ref().map(|active| &active.host.state)
    }

    /// Converts the machine into its state, if it has been started.
    #[must_use]
    pub fn into_state(self) -> Option<P::State> {
        self.active.map(|active| active.host.state)
    }

    /// Converts the machine into its state and its history, if it has been started.
    #[doc(hidden)]
    #[must_use]
    pub fn into_state_and_history(self) -> Option<(P::State, History)> {
        let ActiveRun { run, host, .. } = self.active?;
        Some((host.state, Arc::unwrap_or_clone(run.facts.history)))
    }

    /// Returns the goal of the run; empty if it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        self.run().map_or("", |run| run.facts.goal.as_str())
    }

    /// Returns the history of the run.
    #[must_use]
    pub fn history(&self) -> &History {
        static EMPTY: History = History::new();
        self.run().map_or(&EMPTY, |run| &*run.facts.history)
    }

    /// Adds an entry to the history, subject to its bound. Prompts show it. A process without a history
    /// ignores it.
    ///
    /// # Errors
    ///
    /// If the entry does not serialize to JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        self.erased_mut().add_entry(HistoryEntry::from_serialize(entry)?);
        Ok(())
    }

    /// Returns the usage of all model calls of the run, including failed ones and those of sub-processes.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.erased().usage()
    }

    /// Returns the number of started tasks, including those of sub-processes. Gateways and terminals do not
    /// count.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.erased().steps()
    }

    /// Returns the tasks whose transitions led to the current one and to which the run will return, outermost
    /// first.
    pub fn callers(&self) -> impl DoubleEndedIterator<Item = P::Task> + '_ {
        let callers = self.run().map_or(&[][..], |run| run.facts.callers.as_slice());
        callers.iter().map(|caller| task_from_index::<P>(caller.task))
    }

    /// Returns the outcome of the run, once it has ended.
    #[must_use]
    pub fn outcome(&self) -> Option<P::Outcome> {
        let ending = self.run()?.ending()?;
        Some(P::outcome(typed_ending::<P>(ending.clone())))
    }

    /// Returns the last failure that took a route of `on`, with its attempts.
    #[must_use]
    pub fn last_failure(&self) -> Option<Halt<P::Task>> {
        let Halt { task, reason, attempts } = self.run()?.facts.last_failure.clone()?;
        Some(Halt { task: task_from_index::<P>(task), reason, attempts })
    }

    /// Returns the ending of the run, once it has ended, in the form that all processes share.
    #[must_use]
    pub fn ending(&self) -> Option<Ending<P::Task>> {
        self.run()?.ending().cloned().map(typed_ending::<P>)
    }

    /// Returns whether a run is in progress.
    #[doc(hidden)]
    pub fn is_running(&self) -> bool {
        self.run().is_some_and(|run| run.ending().is_none())
    }

    /// Returns the number of directives that the machine waits for, after a poll.
    #[must_use]
    pub fn pending_calls(&self) -> usize {
        self.erased().pending_calls()
    }

    /// Returns whether the machine waits for the answer to this directive.
    #[must_use]
    pub fn is_pending(&self, id: CallId) -> bool {
        self.erased().is_pending(id)
    }

    /// Returns a snapshot of the run, at any time.
    ///
    /// # Errors
    ///
    /// If the machine has not been started, or the state does not serialize to JSON (keys of its maps must be
    /// strings or numbers).
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        self.erased().snapshot()
    }

    /// Returns whether the machine itself is between two tasks, not only a sub-process.
    #[must_use]
    pub fn is_between_tasks(&self) -> bool {
        self.erased().is_between_tasks()
    }

    /// Changes the state from outside between two tasks. If the change panics, the state is unchanged.
    ///
    /// # Errors
    ///
    /// If the change panics, a task is in progress, or no run is in progress.
    pub fn update_state(&mut self, change: impl FnOnce(&mut P::State)) -> Result<(), UpdateError> {
        let ActiveRun { run, host, .. } = self.active.as_mut().ok_or(UpdateError::Over)?;
        host.update_state(task_after_boundary(run)?, change)
    }

    /// Changes the state from outside at any time, for instance to set a
    /// [`Secret`](cot_model::Secret) again after a resume. Does nothing if the machine has not
    /// been started.
    pub fn change_state(&mut self, change: impl FnOnce(&mut P::State)) {
        if let Some(active) = &mut self.active {
            change(active.host.state_mut());
        }
    }
}
