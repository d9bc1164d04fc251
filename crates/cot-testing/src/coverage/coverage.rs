//! What a test suite has exercised of a process.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::{Process, ProcessEvent, RunEvent, TaskId};
use cot_runtime::EventContext;

use super::{table, universe};
use crate::coverage::exercised::Exercised;

/// Which tasks, transitions, routes and retries of a process a test suite has exercised.
///
/// Copies share what they count, so that many runs, on many threads, fill one report. Shown with
/// `{}`, it is a table with a line for each task.
///
/// ```
/// use cot_core::{
///     prelude::*,
///     testing::{Coverage, MonkeyModel},
/// };
///
/// cot_process! {
///     process Crossroads {
///         state: u8,
///         task choose { transitions: { left: "Go left", right: "Go right" } }
///         task left { end }
///         task right { end }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), RunError> {
/// let coverage = Coverage::<Crossroads>::new();
/// for seed in 0..50 {
///     let runner = Crossroads::runner().model(MonkeyModel::seeded(seed));
///     runner.observe(coverage.watch()).run(0).await?;
/// }
/// assert_eq!(coverage.share(), 1.0, "{coverage}");
/// # Ok(())
/// # }
/// ```
pub struct Coverage<P: Process> {
    report: Arc<Mutex<Exercised>>,
    process: PhantomData<fn() -> P>,
}

impl<P: Process> Coverage<P> {
    /// A report in which nothing has been exercised yet.
    #[must_use]
    pub fn new() -> Self {
        Self { report: Arc::new(Mutex::new(universe::of::<P>())), process: PhantomData }
    }

    /// A function that takes up every event that it is shown, for
    /// [`Runner::observe`](cot_runtime::Runner::observe).
    pub fn watch(&self) -> impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + use<P> {
        let coverage = self.clone();
        move |event, _| coverage.record(event)
    }

    /// Takes up one event.
    pub fn record(&self, event: &ProcessEvent<P>) {
        record(&mut self.report(), event);
    }

    /// Takes up events, with the lock held.
    pub(crate) fn record_all(&self, events: impl Iterator<Item = ProcessEvent<P>>) {
        let mut exercised = self.report();
        events.for_each(|event| record(&mut exercised, &event));
    }

    /// Adds what another report counted. Reports that share their counts already stay as they are.
    pub fn merge(&self, other: &Self) {
        if !Arc::ptr_eq(&self.report, &other.report) {
            // Never both locks at once: two reports may be merged into each other.
            let added = other.report().clone();
            self.report().merge(&added);
        }
    }

    /// The share of what there is to exercise that was exercised, from 0 to 1. Each task, each
    /// transition, each route and the retry of each task that has retries counts once.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.report().share()
    }

    /// What was not exercised, a line each. Of a task that was never visited, only that is said.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        self.report().missing()
    }

    /// How often a task was visited.
    #[must_use]
    pub fn visits(&self, task: P::Task) -> u64 {
        self.report().visits(index(task))
    }

    fn report(&self) -> MutexGuard<'_, Exercised> {
        // Counts are right whenever the lock is free, even after a panic.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record<T: TaskId, O>(exercised: &mut Exercised, event: &RunEvent<T, O>) {
    match event {
        RunEvent::TaskStarted { task, .. } => exercised.visit(index(*task)),
        RunEvent::AttemptFailed { task, will_retry: true, .. } => exercised.retry(index(*task)),
        RunEvent::TaskFinished { task, next, route } => {
            exercised.leave(index(*task), *route, next.map(index));
        }
        _ => {}
    }
}

/// The position of a task; `ALL` names every one.
fn index<T: TaskId>(task: T) -> usize {
    T::ALL.iter().position(|known| *known == task).unwrap_or(usize::MAX)
}

impl<P: Process> Default for Coverage<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Process> Clone for Coverage<P> {
    fn clone(&self) -> Self {
        Self { report: Arc::clone(&self.report), process: PhantomData }
    }
}

impl<P: Process> fmt::Display for Coverage<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exercised = self.report().clone();
        table::write(&exercised, f)
    }
}

impl<P: Process> fmt::Debug for Coverage<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coverage")
            .field("process", &P::DEFINITION.about.name)
            .field("share", &self.share())
            .finish_non_exhaustive()
    }
}
