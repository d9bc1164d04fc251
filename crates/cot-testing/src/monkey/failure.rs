//! The failure of a monkey test.

use std::{error::Error, fmt};

use cot_engine::{Process, TaskId};
use cot_schema::internal::truncate;

use super::{monkey_run::FailedRun, problem::Problem, responder::AnswerSummary};

/// A failed run: the problem, its position, the last answers, and how to reproduce the run.
///
/// `Debug` prints the same text as `Display`, so that `unwrap` in a test shows it.
pub struct MonkeyError<P: Process>(Box<Report<P>>);

struct Report<P: Process> {
    seed: u64,
    failed_run: Box<FailedRun<P>>,
    failed: u64,
    runs: u64,
}

/// The limit up to which the state is shown.
const MAX_STATE_BYTES: usize = 1000;

impl<P: Process> MonkeyError<P> {
    pub(super) fn new(
        seed: u64,
        failed_run: Box<FailedRun<P>>,
        (failed, runs): (u64, u64),
    ) -> Self {
        Self(Box::new(Report { seed, failed_run, failed, runs }))
    }

    /// Returns the problem.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.0.failed_run.problem
    }

    /// Returns the seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.0.seed
    }

    /// Returns the number of the run, for [`Monkey::only_run`](crate::Monkey::only_run).
    #[must_use]
    pub const fn run(&self) -> u64 {
        self.0.failed_run.run
    }

    /// Returns the number of steps that the run had made.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.0.failed_run.step
    }

    /// Returns the current task of the run, if the run had started.
    #[must_use]
    pub const fn task(&self) -> Option<P::Task> {
        self.0.failed_run.task
    }

    /// Returns the last answers before the problem, in order.
    pub fn last_answers(&self) -> impl Iterator<Item = String> {
        self.0.failed_run.last_answers.iter().map(ToString::to_string)
    }
}

impl fmt::Display for AnswerSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.task)?;
        if let Some(item) = self.item {
            write!(f, "[{item}]")?;
        }
        if self.attempt > 1 {
            write!(f, ", attempt {}", self.attempt)?;
        }
        write!(f, ": {}", self.kind)?;
        if !self.text.is_empty() {
            write!(f, ": {}", self.text.escape_debug())?;
        }
        Ok(())
    }
}

impl<P: Process> fmt::Display for MonkeyError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { seed, failed_run, failed, runs } = &*self.0;
        let process = P::DEFINITION.about.name;
        write!(
            f,
            "{process}: {}\n  in step {} of run {}",
            failed_run.problem, failed_run.step, failed_run.run
        )?;
        if let Some(task) = failed_run.task {
            write!(f, ", at task `{}`", task.name())?;
        }
        if *runs > 1 {
            write!(f, " ({failed} of {runs} runs failed; this is the shortest)")?;
        }
        if let Some(state) = &failed_run.state {
            let cut = truncate(state, MAX_STATE_BYTES);
            let dots = if cut.len() < state.len() { "…" } else { "" };
            write!(f, "\n  with the state {cut}{dots}")?;
        }
        if !failed_run.last_answers.is_empty() {
            f.write_str("\n  after these answers:")?;
        }
        for summary in &failed_run.last_answers {
            write!(f, "\n    {summary}")?;
        }
        write!(
            f,
            "\n  to reproduce it: Monkey::<{process}>::…seed({seed}).only_run({})",
            failed_run.run
        )
    }
}

impl<P: Process> fmt::Debug for MonkeyError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<P: Process> Error for MonkeyError<P> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.problem() {
            Problem::Start(error) => Some(error),
            Problem::Snapshot(error) => Some(error),
            _ => None,
        }
    }
}
