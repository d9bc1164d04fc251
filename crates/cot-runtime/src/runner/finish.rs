//! The future that drives a run to its end.

use std::{
    fmt::{self, Debug},
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::Process;

use crate::{
    driver::{driven_run::TypedRun, driver::Driver},
    runner::{error::RunError, report::RunReport},
};

/// The future of a run: drives it to its end and resolves to its report, or to an error if the run has failed.
/// [`report`](Self::report) gives every end as a report. Dropping it cancels calls in flight.
///
/// A run that waits for a person or a timer, or is paused, has not ended, and the future is pending meanwhile. The
/// error [`RunError::Failed`] means that the run halted or reached a `fail` task; other errors, that it could
/// not be started or persisted.
#[must_use = "a run does nothing unless awaited"]
pub struct RunFuture<P: Process>(Option<Result<Driver<TypedRun<P>>, RunError>>);

impl<P: Process> RunFuture<P> {
    pub(crate) const fn new(driver: Result<Driver<TypedRun<P>>, RunError>) -> Self {
        Self(Some(driver))
    }

    /// Drives the run to its end and returns its report, also if the run has failed:
    /// [`RunReport::why`] tells. An error means that the run could not be started or persisted.
    ///
    /// ```
    /// # use cot_core::{Process, RunError, Runner};
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// async fn resumed<P: Process>(runner: &Runner<P>) -> Result<(), RunError> {
    ///     let report = runner.resume("order-17")?.finish().report().await?;
    ///     println!("{} calls, {:?}", report.usage.calls, report.why());
    ///     Ok(())
    /// }
    /// ```
    pub fn report(
        mut self,
    ) -> impl Future<Output = Result<RunReport<P>, RunError>> + Send + use<P> {
        poll_fn(move |cx| self.poll_report(cx))
    }

    fn poll_report(&mut self, cx: &mut Context<'_>) -> Poll<Result<RunReport<P>, RunError>> {
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

/// No field is pinned: the futures that it polls are boxed.
impl<P: Process> Unpin for RunFuture<P> {}

impl<P: Process> Future for RunFuture<P> {
    type Output = Result<RunReport<P>, RunError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_report(cx).map(|report| report.and_then(RunReport::into_result))
    }
}

impl<P: Process> Debug for RunFuture<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunFuture").finish_non_exhaustive()
    }
}
