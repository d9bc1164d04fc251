//! What scorers see of a run.

use std::{fmt, sync::Arc, time::Duration};

use cot_engine::{Ending, Inputs, Process, TaskId as _};
use cot_model::Usage;
use cot_runtime::{RunReport, Runner, TaskRun};

use super::metered_model::Meter;
use crate::{cases::case::Case, score::Score};

/// What ran.
pub(super) enum Ran<P: Process> {
    Process(Box<RunReport<P>>),
    Task(Box<TaskRun<P>>),
}

impl<P: Process> Ran<P> {
    pub(super) fn state(&self) -> &P::State {
        match self {
            Self::Process(report) => &report.state,
            Self::Task(run) => &run.state,
        }
    }

    pub(super) fn usage(&self) -> Usage {
        match self {
            Self::Process(report) => report.usage,
            Self::Task(run) => run.usage,
        }
    }
}

/// A run of a case with a variant, as scorers see it.
#[non_exhaustive]
pub struct Trial<'a, P: Process, E> {
    pub(crate) case: &'a Case<P::State, E>,
    pub(super) inputs: Option<&'a Inputs>,
    pub(super) ran: &'a Ran<P>,
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
    pub fn state(&self) -> &'a P::State {
        self.ran.state()
    }

    /// Returns the inputs of the task, if one task runs alone and these are of its type.
    #[must_use]
    pub fn inputs<I: 'static>(&self) -> Option<&'a I> {
        self.inputs?.get()
    }

    /// Returns the outputs that were committed, in their order. Those of sub-processes are not among them.
    #[must_use]
    pub const fn outputs(&self) -> &'a [P::Output] {
        self.outputs
    }

    /// Returns the report of the run, unless one task runs alone.
    #[must_use]
    pub fn report(&self) -> Option<&'a RunReport<P>> {
        match self.ran {
            Ran::Process(report) => Some(report),
            Ran::Task(_) => None,
        }
    }

    /// Returns the report of the task, if one task runs alone.
    #[must_use]
    pub fn task_run(&self) -> Option<&'a TaskRun<P>> {
        match self.ran {
            Ran::Process(_) => None,
            Ran::Task(run) => Some(run),
        }
    }

    /// Returns why the run failed, if it did.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        self.ending.as_ref().and_then(Ending::why)
    }

    /// Returns the usage of all model calls of the run.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.ran.usage()
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
            Some(ending) if ending.task() == task => return Score::PASS,
            Some(_) => "ended",
            None => return Score::fail("it did not end"),
        };
        let end = self.ending.as_ref().map_or("", |ending| ending.task().name());
        Score::fail(format!("it {how} at `{end}`, and should have ended at `{}`", task.name()))
    }
}

impl<P: Process, E> fmt::Debug for Trial<'_, P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial")
            .field("case", &self.case.name)
            .field("ending", self.ending)
            .field("usage", &self.usage())
            .finish_non_exhaustive()
    }
}
