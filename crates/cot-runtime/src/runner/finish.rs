//! A run that is driven to its end.

use std::{
    fmt::{self, Debug},
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::Process;

use crate::{
    driver::driver::Drive,
    runner::{error::RunError, report::Run},
};

/// Runs to the end when awaited. Dropping it drops the model call in flight.
#[must_use = "a run does nothing unless awaited"]
pub struct Finish<P: Process>(Option<Result<Drive<P>, RunError>>);

impl<P: Process> Finish<P> {
    pub(crate) const fn of(drive: Result<Drive<P>, RunError>) -> Self {
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
