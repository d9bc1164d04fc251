//! What a monkey found.

use std::{error::Error, fmt};

use cot_engine::{Process, TaskId};
use cot_schema::internal::truncate;

use super::{answers::Told, one_run::Broken, problem::Problem};

/// A run in which something did not hold: what, where, after which answers, and how to do it again.
///
/// `{:?}` shows the same text as `{}`, so that it can be read where a test unwraps.
pub struct MonkeyError<P: Process>(Box<Found<P>>);

struct Found<P: Process> {
    seed: u64,
    broken: Box<Broken<P>>,
    failed: u64,
    runs: u64,
}

/// How much of the state is shown.
const MAX_STATE_BYTES: usize = 1000;

impl<P: Process> MonkeyError<P> {
    pub(super) fn new(seed: u64, broken: Box<Broken<P>>, (failed, runs): (u64, u64)) -> Self {
        Self(Box::new(Found { seed, broken, failed, runs }))
    }

    /// What did not hold.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.0.broken.problem
    }

    /// The seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.0.seed
    }

    /// The number of the run, for [`Monkey::only_run`](crate::Monkey::only_run).
    #[must_use]
    pub const fn run(&self) -> u64 {
        self.0.broken.run
    }

    /// How many times the run had come to a task that does something.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.0.broken.step
    }

    /// The task at which the run stood, if it had started.
    #[must_use]
    pub const fn task(&self) -> Option<P::Task> {
        self.0.broken.task
    }

    /// The last answers before it, a line each, the last one last.
    pub fn last_answers(&self) -> impl Iterator<Item = String> {
        self.0.broken.told.iter().map(Told::to_string)
    }
}

impl fmt::Display for Told {
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
        let Found { seed, broken, failed, runs } = &*self.0;
        let process = P::DEFINITION.about.name;
        write!(
            f,
            "{process}: {}\n  in step {} of run {}",
            broken.problem, broken.step, broken.run
        )?;
        if let Some(task) = broken.task {
            write!(f, ", at task `{}`", task.name())?;
        }
        if *runs > 1 {
            write!(f, " ({failed} of {runs} runs failed, and no other was shorter)")?;
        }
        if let Some(state) = &broken.state {
            let cut = truncate(state, MAX_STATE_BYTES);
            let dots = if cut.len() < state.len() { "…" } else { "" };
            write!(f, "\n  with the state {cut}{dots}")?;
        }
        if !broken.told.is_empty() {
            f.write_str("\n  after these answers:")?;
        }
        for told in &broken.told {
            write!(f, "\n    {told}")?;
        }
        write!(
            f,
            "\n  to see it again: Monkey::<{process}>::…seed({seed}).only_run({})",
            broken.run
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
