//! What scorers see of a run.

use std::time::Duration;

use cot_engine::{Ending, Process, TaskId as _};
use cot_model::Usage;
use cot_runtime::RunReport;

use crate::{cases::case::Case, score::Score};

/// A run of a case with a variant, as scorers see it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trial<'a, P: Process, E> {
    pub(crate) case: &'a Case<P::State, E>,
    pub(crate) report: &'a RunReport<P>,
    pub(crate) outputs: &'a [P::Output],
    pub(crate) ending: &'a Option<Ending<P::Task>>,
    pub(crate) elapsed: Duration,
}

impl<'a, P: Process, E> Trial<'a, P, E> {
    /// Returns the case.
    #[must_use]
    pub const fn case(&self) -> &'a Case<P::State, E> {
        self.case
    }

    /// Returns what is right.
    #[must_use]
    pub const fn expected(&self) -> &'a E {
        &self.case.expected
    }

    /// Returns the state in which the run ended, also if it has failed.
    #[must_use]
    pub const fn state(&self) -> &'a P::State {
        &self.report.state
    }

    /// Returns the outputs that were committed, in their order. Those of sub-processes are not among them.
    #[must_use]
    pub const fn outputs(&self) -> &'a [P::Output] {
        self.outputs
    }

    /// Returns the report of the run.
    #[must_use]
    pub const fn report(&self) -> &'a RunReport<P> {
        self.report
    }

    /// Returns the usage of all model calls of the run.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.report.usage
    }

    /// Returns the time of the run.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Scores that the run has ended at a task.
    #[must_use]
    pub fn ended_at(&self, task: P::Task) -> Score {
        match self.ending {
            Some(Ending::End(end) | Ending::RanOut(end) | Ending::Fail(end, _)) if *end == task => {
                Score::PASS
            }
            Some(ending) => Score::fail(format!(
                "it ended at `{}`, not at `{}`",
                task_of(ending).name(),
                task.name()
            )),
            None => Score::fail("it did not end"),
        }
    }
}

/// Returns the task at which a run ended.
pub(crate) fn task_of<T: Copy>(ending: &Ending<T>) -> T {
    match ending {
        Ending::End(task) | Ending::RanOut(task) | Ending::Fail(task, _) => *task,
        Ending::Halted(halt) => halt.task,
    }
}
