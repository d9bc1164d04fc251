//! What scorers see of a run.

use std::{fmt, sync::Arc, time::Duration};

use cot_engine::{Ending, Process, TaskId as _};
use cot_model::Usage;
use cot_runtime::{RunReport, Runner};

use super::metered_model::Meter;
use crate::{cases::case::Case, score::Score};

/// A run of a case with a variant, as scorers see it.
#[non_exhaustive]
pub struct Trial<'a, P: Process, E> {
    pub(crate) case: &'a Case<P::State, E>,
    pub(crate) report: &'a RunReport<P>,
    pub(crate) outputs: &'a [P::Output],
    pub(crate) ending: &'a Option<Ending<P::Task>>,
    pub(crate) elapsed: Duration,
    pub(super) meter: &'a Arc<Meter>,
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

    /// Returns a runner of a judge whose calls count as those of the trial: the budget of the eval knows them, and its
    /// cache answers them.
    pub fn metered<J: Process>(&self, judge: Runner<J>) -> Runner<J> {
        self.meter.wrap(judge)
    }

    /// Scores that the run has ended at a task.
    #[must_use]
    pub fn ended_at(&self, task: P::Task) -> Score {
        let how = match self.ending {
            Some(Ending::Halted(_)) => "halted",
            Some(ending) if task_of(ending) == task => return Score::PASS,
            Some(_) => "ended",
            None => return Score::fail("it did not end"),
        };
        let end = self.ending.as_ref().map_or("", |ending| task_of(ending).name());
        Score::fail(format!("it {how} at `{end}`, and should have ended at `{}`", task.name()))
    }
}

impl<P: Process, E> fmt::Debug for Trial<'_, P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial")
            .field("case", &self.case.name)
            .field("ending", self.ending)
            .field("usage", &self.report.usage)
            .finish_non_exhaustive()
    }
}

/// Returns the task at which a run ended.
pub(crate) fn task_of<T: Copy>(ending: &Ending<T>) -> T {
    match ending {
        Ending::End(task) | Ending::RanOut(task) | Ending::Fail(task, _) => *task,
        Ending::Halted(halt) => halt.task,
    }
}
