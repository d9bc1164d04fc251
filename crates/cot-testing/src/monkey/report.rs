//! The report of a monkey test.

use std::{collections::BTreeMap, fmt};

use cot_engine::{Ending, Process, TaskId, WorstCase};

use crate::coverage::coverage::Coverage;

/// The report of a successful monkey test. `Display` prints a table.
pub struct MonkeyReport<P: Process> {
    seed: u64,
    runs: u64,
    steps: u64,
    calls: u64,
    /// The most that a run used of each quantity.
    most: WorstCase,
    answers: u64,
    endings: BTreeMap<String, u64>,
    coverage: Coverage<P>,
}

impl<P: Process> MonkeyReport<P> {
    pub(super) const fn new(seed: u64, coverage: Coverage<P>) -> Self {
        let (runs, steps, calls, answers) = (0, 0, 0, 0);
        let most = WorstCase::NOTHING;
        Self { seed, runs, steps, calls, most, answers, endings: BTreeMap::new(), coverage }
    }

    pub(super) fn add_run(&mut self, steps: u64, used: &WorstCase, answers: u64) {
        self.runs += 1;
        self.steps += steps;
        self.calls += used.model_calls.get().unwrap_or_default();
        self.most = self.most.or(*used);
        self.answers += answers;
    }

    pub(super) fn add_ending(&mut self, ending: &Ending<P::Task>) {
        let name = name_of(ending);
        match self.endings.get_mut(&*name) {
            Some(count) => *count += 1,
            None => _ = self.endings.insert(name.into_owned(), 1),
        }
    }

    /// Returns the seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of runs.
    #[must_use]
    pub const fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of steps in all runs.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of answered model calls.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// Returns the most model calls, function calls and questions of a run. The worst case that the compiler
    /// computes is at least as large.
    #[must_use]
    pub const fn most_used(&self) -> WorstCase {
        self.most
    }

    /// Returns the number of all answers: of models, humans, functions and timers.
    #[must_use]
    pub const fn answers(&self) -> u64 {
        self.answers
    }

    /// Returns how often each ending occurred, ordered by name. An ending is the name of a task with `end`
    /// or `fail`, `ran out after` a task, or `halted:` with the reason (`exhausted`, `truncated`, `refused`,
    /// `timeout`, `max_steps`, `budget`, `unreachable`, and others).
    pub fn endings(&self) -> impl Iterator<Item = (&str, u64)> {
        self.endings.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// Returns the number of runs with one ending, by its name in [`endings`](Self::endings).
    #[must_use]
    pub fn ended(&self, name: &str) -> u64 {
        self.endings.get(name).copied().unwrap_or_default()
    }

    /// Returns the coverage of the process.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage<P> {
        &self.coverage
    }
}

fn name_of<T: TaskId>(ending: &Ending<T>) -> std::borrow::Cow<'static, str> {
    match ending {
        Ending::End(task) | Ending::Fail(task, _) => task.name().into(),
        Ending::RanOut(task) => format!("ran out after {task}").into(),
        Ending::Halted(halt) => format!("halted: {}", halt.reason.name()).into(),
    }
}

impl<P: Process> fmt::Display for MonkeyReport<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, runs, steps, calls, answers, .. } = self;
        let process = P::DEFINITION.about.name;
        writeln!(
            f,
            "{runs} runs of {process} from seed {seed}: {steps} steps, {answers} answers, {calls} of them by models"
        )?;
        writeln!(f)?;
        let width = self.endings.values().map(|count| count.to_string().len()).max();
        let width = width.unwrap_or_default();
        for (name, count) in self.endings() {
            writeln!(f, "{count:>width$}  {name}")?;
        }
        writeln!(f)?;
        self.coverage.fmt(f)
    }
}

impl<P: Process> fmt::Debug for MonkeyReport<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MonkeyReport")
            .field("seed", &self.seed)
            .field("runs", &self.runs)
            .field("steps", &self.steps)
            .field("answers", &self.answers)
            .field("endings", &self.endings)
            .field("coverage", &self.coverage)
            .finish()
    }
}
