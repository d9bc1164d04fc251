//! Coverage of a process by a test suite.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::{Process, ProcessEvent, Route, RunEvent, TaskId};
use cot_runtime::EventContext;

use super::{declared, table};
use crate::coverage::counts::Exercised;

/// The tasks, transitions, routes and retries of a process that a test suite has exercised.
///
/// Clones share their counts, so that runs on several threads fill one report. `Display` prints a table with
/// one line per task.
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
    /// Creates an empty report.
    #[must_use]
    pub fn new() -> Self {
        Self { report: Arc::new(Mutex::new(declared::declared_items::<P>())), process: PhantomData }
    }

    /// Returns a function that records every event, for [`Runner::observe`](cot_runtime::Runner::observe).
    pub fn watch(&self) -> impl Fn(&ProcessEvent<P>, &EventContext) + Send + Sync + use<P> {
        let coverage = self.clone();
        move |event, _| coverage.record(event)
    }

    /// Records one event.
    pub fn record(&self, event: &ProcessEvent<P>) {
        record(&mut self.report(), event);
    }

    /// Records events under one lock.
    pub(crate) fn record_all(&self, events: impl Iterator<Item = ProcessEvent<P>>) {
        let mut exercised = self.report();
        events.for_each(|event| record(&mut exercised, &event));
    }

    /// Adds the counts of another report. Merging reports that share their counts has no effect.
    pub fn merge(&self, other: &Self) {
        if !Arc::ptr_eq(&self.report, &other.report) {
            // Holding both locks could deadlock: two reports may be merged into each other.
            let added = other.report().clone();
            self.report().merge(&added);
        }
    }

    /// Returns the share of items that were exercised, from 0 to 1. The items are each task, each
    /// transition, each route, each tool of a task, and the retry of each task with retries.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.report().share()
    }

    /// Describes the items that were not exercised, one per line. A task that was never visited counts as
    /// one item.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        self.report().missing()
    }

    /// Returns how often a task was visited.
    #[must_use]
    pub fn visits(&self, task: P::Task) -> u64 {
        self.report().visits(index(task))
    }

    fn report(&self) -> MutexGuard<'_, Exercised> {
        // Counts are consistent whenever the lock is free, even after a panic.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record<T: TaskId, O>(exercised: &mut Exercised, event: &RunEvent<T, O>) {
    match event {
        RunEvent::TaskStarted { task, .. } => exercised.visit(index(*task)),
        RunEvent::AttemptFailed { task, will_retry: true, .. } => exercised.retry(index(*task)),
        RunEvent::ToolCalled { task, tool, .. } => exercised.call(index(*task), tool),
        RunEvent::TaskFinished { task, next, route } => {
            // One exit, whether a model chose it or it was the only one.
            let is_only = *route == Route::OnlyTransition;
            let route = if is_only { Route::Transition } else { *route };
            exercised.leave(index(*task), route, next.map(index));
        }
        _ => {}
    }
}

/// Returns the position of a task in `ALL`.
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
