//! What a run that is over reports.

use std::fmt::{self, Debug};

use cot_engine::{History, Machine, Process};
use cot_model::Usage;
use cot_store::RunId;

/// A run that is over.
#[non_exhaustive]
pub struct Run<P: Process> {
    /// How it ended.
    pub outcome: P::Outcome,
    /// The state, with everything that was committed.
    pub state: P::State,
    /// What happened, as far as the process keeps it.
    pub history: History,
    /// What its model calls consumed.
    pub usage: Usage,
    /// The name of the run: the one in its store, or one of its own if no store keeps it.
    pub run_id: RunId,
}

impl<P: Process> Run<P> {
    /// What a machine has to tell; nothing before it has finished.
    pub(crate) fn from_machine(machine: Machine<P>, run_id: RunId) -> Option<Self> {
        let (outcome, usage) = (machine.outcome()?, machine.usage());
        let history = machine.history().clone();
        Some(Self { outcome, state: machine.into_state()?, history, usage, run_id })
    }
}

impl<P: Process> Debug for Run<P>
where
    P::State: Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("outcome", &self.outcome)
            .field("state", &self.state)
            .field("history", &self.history)
            .field("usage", &self.usage)
            .field("run_id", &self.run_id)
            .finish()
    }
}
