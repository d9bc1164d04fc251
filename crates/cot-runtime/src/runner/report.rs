//! The report of a finished run.

use std::fmt::{self, Debug};

use cot_engine::{Ending, History, Machine, Process, Snapshot};
use cot_model::Usage;
use cot_store::RunId;

use crate::runner::{error::RunError, failed::FailedRunError};

/// The report of a finished run: its outcome, its state and its totals.
#[non_exhaustive]
pub struct RunReport<P: Process> {
    /// How the run ended.
    pub outcome: P::Outcome,
    /// The final state.
    pub state: P::State,
    /// The history, as far as the process keeps it.
    pub history: History,
    /// The total usage of its model calls.
    pub usage: Usage,
    /// The name of the run: its name in the store, or a generated one if it is not stored.
    pub run_id: RunId,
    /// The run as it was when it halted; `None` if it did not halt, or its state can't be written as JSON. A
    /// machine that is [resumed](Machine::resume) from it with
    /// [`retry_halted`](cot_engine::ResumeOptions::retry_halted) continues at the task that failed.
    pub snapshot: Option<Snapshot>,
    ending: Ending<P::Task>,
}

impl<P: Process> RunReport<P> {
    /// Creates the report of a machine; `None` if the machine has not finished.
    pub(crate) fn from_machine(machine: Machine<P>, run_id: RunId) -> Option<Self> {
        let (ending, outcome, usage) = (machine.ending()?, machine.outcome()?, machine.usage());
        let is_halted = matches!(ending, Ending::Halted(_));
        let snapshot = is_halted.then(|| machine.snapshot().ok()).flatten();
        let (state, history) = machine.into_state_and_history()?;
        Some(Self { outcome, state, history, usage, run_id, snapshot, ending })
    }

    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and the
    /// reason. `None` if the run has not failed.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        self.ending.why()
    }

    /// Returns the report of a run that has not failed. A failed one becomes the error that
    /// [`Runner::run`](crate::Runner::run) has.
    ///
    /// # Errors
    ///
    /// [`RunError::Failed`], with the report in it, if the run halted or reached a `fail` task.
    pub fn into_result(self) -> Result<Self, RunError> {
        if self.why().is_some() {
            let end = (self.run_id.clone(), self.ending.clone());
            return Err(FailedRunError::new::<P>(end, self.usage, self).into());
        }
        Ok(self)
    }
}

impl<P: Process> Debug for RunReport<P>
where
    P::State: Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunReport")
            .field("outcome", &self.outcome)
            .field("state", &self.state)
            .field("history", &self.history)
            .field("usage", &self.usage)
            .field("run_id", &self.run_id)
            .finish()
    }
}
