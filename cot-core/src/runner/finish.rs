//! The end of a run.

use std::{
    fmt::{self, Debug},
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_model::Usage;

use super::{RunError, drive::Drive};
use crate::{History, Machine, Process, store::RunId};

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
    pub(super) fn from_machine(machine: Machine<P>, run_id: RunId) -> Option<Self> {
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

/// Runs to the end when awaited. Dropping it drops the model call in flight.
#[must_use = "a run does nothing unless awaited"]
pub struct Finish<P: Process>(Option<Result<Drive<P>, RunError>>);

impl<P: Process> Finish<P> {
    pub(super) const fn of(drive: Result<Drive<P>, RunError>) -> Self {
        Self(Some(drive))
    }
}

/// Nothing in it is pinned: the only future that it polls has a box of its own.
impl<P: Process> Unpin for Finish<P> {}

impl<P: Process> Future for Finish<P> {
    type Output = Result<Run<P>, RunError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(Ok(drive)) = &mut self.0 {
            ready!(drive.poll_over(cx));
        }
        match self.0.take() {
            Some(drive) => Poll::Ready(drive.and_then(Drive::into_run)),
            // Polled again after its end, which futures need not answer.
            None => Poll::Pending,
        }
    }
}

impl<P: Process> Debug for Finish<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finish").finish_non_exhaustive()
    }
}
