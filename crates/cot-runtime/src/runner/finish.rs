//! The future that drives a run to its end.

use std::{
    fmt::{self, Debug},
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::Process;

use crate::{
    driver::{driven_run::TypedRun, driver::Driver},
    runner::{error::RunError, report::RunReport},
};

/// The future of a run: drives it to its end and resolves to its report. Dropping it cancels calls in
/// flight.
#[must_use = "a run does nothing unless awaited"]
pub struct RunFuture<P: Process>(Option<Result<Driver<TypedRun<P>>, RunError>>);

impl<P: Process> RunFuture<P> {
    pub(crate) const fn new(driver: Result<Driver<TypedRun<P>>, RunError>) -> Self {
        Self(Some(driver))
    }
}

/// No field is pinned: the futures that it polls are boxed.
impl<P: Process> Unpin for RunFuture<P> {}

impl<P: Process> Future for RunFuture<P> {
    type Output = Result<RunReport<P>, RunError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(Ok(driver)) = &mut self.0 {
            ready!(driver.erased().poll_over(cx));
        }
        match self.0.take() {
            Some(driver) => Poll::Ready(driver.and_then(Driver::into_run)),
            // Polled after completion.
            None => Poll::Pending,
        }
    }
}

impl<P: Process> Debug for RunFuture<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunFuture").finish_non_exhaustive()
    }
}
