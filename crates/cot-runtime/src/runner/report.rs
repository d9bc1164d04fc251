//! The report of a finished run.

use std::fmt::{self, Debug};

use cot_engine::{History, Machine, Process};
use cot_model::Usage;
use cot_store::RunId;

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
}

impl<P: Process> RunReport<P> {
    /// Creates the report of a machine; `None` if the machine has not finished.
    pub(crate) fn from_machine(machine: Machine<P>, run_id: RunId) -> Option<Self> {
        let (outcome, usage) = (machine.outcome()?, machine.usage());
        let (state, history) = machine.into_state_and_history()?;
        Some(Self { outcome, state, history, usage, run_id })
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
