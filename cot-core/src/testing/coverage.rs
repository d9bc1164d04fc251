//! What a test suite has exercised of a process.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use self::exercised::{Exercised, Way};
use crate::{Process, RunEvent, TaskId, outcome::Ending};

mod exercised;
mod table;
mod universe;

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
    report: Arc<Mutex<Report>>,
    process: PhantomData<fn() -> P>,
}

#[derive(Debug, Clone)]
struct Report {
    exercised: Exercised,
    /// The task whose output was committed last: where it leads, the next event tells.
    committed: Option<usize>,
}

impl<P: Process> Coverage<P> {
    /// A report in which nothing has been exercised yet.
    #[must_use]
    pub fn new() -> Self {
        let report = Report { exercised: universe::of::<P>(), committed: None };
        Self { report: Arc::new(Mutex::new(report)), process: PhantomData }
    }

    /// A function that takes up every event that it is shown, for
    /// [`Runner::observe`](crate::Runner::observe).
    pub fn watch(&self) -> impl Fn(&RunEvent<P>) + Send + Sync + use<P> {
        let coverage = self.clone();
        move |event| coverage.record(event)
    }

    /// Takes up one event.
    pub fn record(&self, event: &RunEvent<P>) {
        self.report().record(event);
    }

    /// Adds what another report counted. Reports that share their counts already stay as they are.
    pub fn merge(&self, other: &Self) {
        if !Arc::ptr_eq(&self.report, &other.report) {
            // Never both locks at once: two reports may be merged into each other.
            let added = other.report().exercised.clone();
            self.report().exercised.merge(&added);
        }
    }

    /// The share of what there is to exercise that was exercised, from 0 to 1. Each task, each
    /// transition, each route and the retry of each task that has retries counts once.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.report().exercised.share()
    }

    /// What was not exercised, a line each. Of a task that was never visited, only that is said.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        self.report().exercised.missing()
    }

    /// How often a task was visited.
    #[must_use]
    pub fn visits(&self, task: P::Task) -> u64 {
        index(task).map_or(0, |task| self.report().exercised.visits(task))
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        // Counts are right whenever the lock is free, even after a panic.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Report {
    fn record<P: Process>(&mut self, event: &RunEvent<P>) {
        match event {
            RunEvent::TaskStarted { task, .. } => self.arrive(index(*task)),
            RunEvent::AttemptFailed { task, will_retry: true, .. } => {
                index(*task).into_iter().for_each(|task| self.exercised.retry(task));
            }
            RunEvent::Committed { task, .. } => self.committed = index(*task),
            RunEvent::Transitioned { task, go_to, .. } => {
                if let (Some(task), Some(to)) = (index(*task), index(*go_to)) {
                    self.exercised.take(task, Way::Transition, Some(to));
                    self.exercised.visit_end(to);
                }
            }
            RunEvent::Finished { outcome, .. } => self.finish::<P>(outcome),
            _ => {}
        }
    }

    fn arrive(&mut self, at: Option<usize>) {
        if let (Some(task), Some(to)) = (self.committed.take(), at) {
            self.exercised.leave(task, Some(to));
        }
        at.into_iter().for_each(|task| self.exercised.visit(task));
    }

    fn finish<P: Process>(&mut self, outcome: &P::Outcome) {
        let Some(task) = self.committed.take() else { return };
        let ended = |end: &P::Task| P::outcome(Ending::End(*end)) == *outcome;
        let end = P::Task::ALL.iter().position(ended);
        if end.is_some() || P::Task::ALL.get(task).is_some_and(|task| ran_out::<P>(*task, outcome))
        {
            self.exercised.leave(task, end);
            end.into_iter().for_each(|end| self.exercised.visit_end(end));
        }
    }
}

fn ran_out<P: Process>(task: P::Task, outcome: &P::Outcome) -> bool {
    P::outcome(Ending::RanOut(task)) == *outcome
}

fn index<T: TaskId>(task: T) -> Option<usize> {
    T::ALL.iter().position(|known| *known == task)
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
        let exercised = self.report().exercised.clone();
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
