//! What is known of a run from outside, and changes of its state.

use cot_model::Usage;
use serde::Serialize;

use crate::{
    machine::{
        machine::{Active, Machine},
        naming::{task_at, typed_ending},
    },
    process::process::Process,
    protocol::directive::CallId,
    run::run::{Position, Run},
    snapshot::{data::Snapshot, error::SnapshotError},
    values::{
        catch::catch_panic,
        history::{History, HistoryEntry},
        outcome::{Ending, Halt},
        panicked::in_words,
        update_error::UpdateError,
    },
};

impl<P: Process> Machine<P> {
    /// Whether the machine has never been started.
    #[must_use]
    pub const fn is_idle(&self) -> bool {
        self.active.is_none()
    }

    /// Whether the machine is between two tasks: the next poll starts one, or ends the run.
    #[must_use]
    pub fn at_task_boundary(&self) -> bool {
        self.run().is_some_and(Run::is_at_boundary)
    }

    /// The task at which the run stands, or has ended.
    #[must_use]
    pub fn task(&self) -> Option<P::Task> {
        self.run().map(|run| task_at::<P>(run.task()))
    }

    /// The state, once the machine has been started.
    #[must_use]
    pub fn state(&self) -> Option<&P::State> {
        self.active.as_ref().map(|active| &active.host.state)
    }

    /// The state, once the machine has been started.
    #[must_use]
    pub fn into_state(self) -> Option<P::State> {
        self.active.map(|active| active.host.state)
    }

    /// The goal of the run; empty when it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        self.run().map_or("", |run| run.facts.goal.as_str())
    }

    /// What has happened so far.
    #[must_use]
    pub fn history(&self) -> &History {
        static EMPTY: History = History::new();
        self.run().map_or(&EMPTY, |run| &*run.facts.history)
    }

    /// Adds an entry to the history, which prompts show and which the bounds of the history hold for.
    /// A process without history keeps nothing.
    ///
    /// # Errors
    ///
    /// When the entry can't be JSON.
    pub fn add_history<T: Serialize + ?Sized>(&mut self, entry: &T) -> serde_json::Result<()> {
        let entry = HistoryEntry::of(entry)?;
        if let Some(Active { run, host, .. }) = &mut self.active
            && let Some(max) = run.facts.max_items()
        {
            run.facts.push_history(entry, max, host);
        }
        Ok(())
    }

    /// What the model calls of the run consumed, the failed ones and those of sub-processes too.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.run().map_or_else(Usage::default, |run| run.totals().usage)
    }

    /// How many times the run has come to a task that does something, in sub-processes too.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.run().map_or(0, |run| run.totals().steps)
    }

    /// The tasks whose transitions led here and that still wait, the outermost first.
    pub fn callers(&self) -> impl DoubleEndedIterator<Item = P::Task> + '_ {
        let callers = self.run().map_or(&[][..], |run| run.facts.callers.as_slice());
        callers.iter().map(|caller| task_at::<P>(caller.task))
    }

    /// How the run ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<P::Outcome> {
        let ending = self.run()?.ending()?;
        Some(P::outcome(typed_ending::<P>(ending.clone())))
    }

    /// The last failure of a task for which the process had a route, with its attempts.
    #[must_use]
    pub fn last_failure(&self) -> Option<Halt<P::Task>> {
        let Halt { task, reason, attempts } = self.run()?.facts.last_failure.clone()?;
        Some(Halt { task: task_at::<P>(task), reason, attempts })
    }

    /// How the run ended, once it has, whatever the process.
    #[must_use]
    pub fn ending(&self) -> Option<Ending<P::Task>> {
        self.run()?.ending().cloned().map(typed_ending::<P>)
    }

    /// Whether a run is under way.
    #[doc(hidden)]
    pub fn is_running(&self) -> bool {
        self.run().is_some_and(|run| run.ending().is_none())
    }

    /// Returns the number of directives that the machine waits for, after a poll.
    #[must_use]
    pub fn pending_calls(&self) -> usize {
        self.run().map_or(0, Run::pending_calls)
    }

    /// Returns whether the machine waits for the answer to this directive.
    #[must_use]
    pub fn is_pending(&self, id: CallId) -> bool {
        self.run().is_some_and(|run| run.is_pending(id))
    }

    /// The run as data, at any point of it.
    ///
    /// # Errors
    ///
    /// When the machine has not been started, or the state can't be JSON (its maps need keys that
    /// are strings or numbers).
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let active = self.active.as_ref().ok_or(SnapshotError::Idle)?;
        let taken = catch_panic(|| active.run.save(&active.host));
        taken.unwrap_or_else(|payload| Err(SnapshotError::Panicked(in_words(&*payload))))
    }

    /// Whether the machine itself is between two tasks, and not a process within it.
    #[must_use]
    pub fn is_between_tasks(&self) -> bool {
        self.run().is_some_and(|run| matches!(run.position, Position::BetweenTasks(_)))
    }

    /// Changes the state from outside between two tasks: wholly or, where the change panics, not at all.
    ///
    /// # Errors
    ///
    /// When the change panics, when the machine is at a task, and when no run is under way.
    pub fn update_state(&mut self, change: impl FnOnce(&mut P::State)) -> Result<(), UpdateError> {
        match &mut self.active {
            Some(Active { run, host, .. }) => match &run.position {
                Position::BetweenTasks(arrival) => host.update_state(arrival.task, change),
                Position::Finished(_) => Err(UpdateError::Over),
                _ => Err(UpdateError::InTask),
            },
            None => Err(UpdateError::Over),
        }
    }

    /// Changes the state from outside at any time, to put a [`Secret`](crate::values::secret::Secret) back after a resumption, for
    /// instance. A run that has not been started has none.
    pub fn change_state(&mut self, change: impl FnOnce(&mut P::State)) {
        if let Some(active) = &mut self.active {
            change(active.host.state_mut());
        }
    }
}
