//! The monkey test of a process.

use std::{fmt, ops::Range};

use cot_engine::{Directive, FunctionError, IntoContext, Machine, MachineOptions, Process, TaskId};
use cot_schema::CotOutput;
use serde::Serialize;
use serde_json::Value;

use crate::{
    coverage::coverage::Coverage,
    mixture::Mixture,
    monkey::{
        failure::MonkeyError,
        invariants::Verdict,
        monkey_run::{FailedRun, MonkeyRun},
        report::MonkeyReport,
        responder::Responder,
        settings::Settings,
    },
    replies::Replies,
};

/// Drives a process through thousands of runs with random answers, and checks invariants in each of them.
///
/// It drives the [`Machine`] directly: no runner, no clock, no network. Models and humans answer by the
/// schemas of their calls, correctly or not, in the shares of a [`Mixture`]; functions are executed. All
/// randomness comes from a seed, so that failures can be reproduced. A failure reports the number of its
/// run.
///
/// In addition to the given invariants, it always checks that
///
/// - nothing panics;
/// - each answer is accepted, and a repeated answer has no effect;
/// - polling twice returns the same directives, as does a run resumed from a snapshot;
/// - a run ends, within its own step limit and that of the monkey.
///
/// ```
/// use cot_core::{prelude::*, testing::Monkey};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Item { #[schemars(length(min = 1, max = 40))] pub name: String }
/// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// # pub struct List { pub items: Vec<Item> }
/// cot_process! {
///     process Shopping {
///         state: List,
///         task decide { transitions: { add if state.items.len() < 3, done: "Complete" } }
///         task add -> Item { prompt: "What is missing?", update: items[], next: decide }
///         task done { end }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let report = Monkey::<Shopping>::new(List::default)
///     .runs(300)
///     .invariant("lists are short", |list| list.items.len() <= 3)
///     .end_invariant("all have names", |_, list| list.items.iter().all(|i| !i.name.is_empty()))
///     .run()?;
/// assert!(report.ended("done") > 100, "{report}");
/// assert_eq!(report.coverage().missing(), [""; 0], "{report}");
/// # Ok(())
/// # }
/// ```
pub struct Monkey<P: Process> {
    settings: Settings<P>,
    runs: Range<u64>,
    coverage: Coverage<P>,
}

const RUNS: u64 = 1000;
/// The number of failed runs after which the shortest is reported.
const MAX_FAILURES: u64 = 20;

impl<P: Process<Context = ()>> Monkey<P> {
    /// Creates a monkey whose runs all start with the same state.
    #[must_use]
    pub fn new(state: impl Fn() -> P::State + 'static) -> Self {
        Self::with_states(move |_| state())
    }

    /// Creates a monkey whose runs start with different states. The function receives the number of the run,
    /// and must return the same state for the same number.
    #[must_use]
    pub fn with_states(state: impl Fn(u64) -> P::State + 'static) -> Self {
        Self::with_context((), state)
    }
}

impl<P: Process> Monkey<P> {
    /// Creates a monkey for a process with a context, which all runs share. The function receives the number of
    /// the run, and must return the same state for the same number.
    ///
    /// The functions of code tasks are never called, but `check`, `process_output`, `mock` and hooks receive
    /// the context: give it doubles.
    #[must_use]
    pub fn with_context(
        context: impl IntoContext<P::Context>,
        state: impl Fn(u64) -> P::State + 'static,
    ) -> Self {
        let settings = Settings::new(context.into_context(), Box::new(state));
        Self { settings, runs: 0..RUNS, coverage: Coverage::new() }
    }

    /// Sets the seed of all randomness. Defaults to 0.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Sets the number of runs. Defaults to 1000.
    #[must_use]
    pub const fn runs(mut self, runs: u64) -> Self {
        self.runs = 0..runs;
        self
    }

    /// Executes only the run of this number, which a failure reports.
    #[must_use]
    pub const fn only_run(mut self, run: u64) -> Self {
        self.runs = run..run.saturating_add(1);
        self
    }

    /// Limits the steps of a run. Defaults to 1000. A run that exceeds the limit is a failure, since it
    /// might never end with a real model. In contrast, a run that is halted by the process's own limit is
    /// not a failure.
    #[must_use]
    pub const fn max_steps(mut self, steps: u64) -> Self {
        self.settings.max_steps = steps;
        self
    }

    /// Sets the shares of the kinds of model replies. Defaults to [`Mixture::default`], with one truncated
    /// reply, one refusal, one failed call and one time-out added per hundred.
    #[must_use]
    pub const fn mixture(mut self, mixture: Mixture) -> Self {
        self.settings.mixture = mixture;
        self
    }

    /// Sets the shares of the kinds of human answers: valid, nearly valid, invalid and hostile. Humans let
    /// the time limit of a question elapse if it has one, and answer `null` for the kinds that only models
    /// have.
    #[must_use]
    pub const fn people(mut self, mixture: Mixture) -> Self {
        self.settings.people = mixture;
        self
    }

    /// Sets the percentage of function calls that fail, or time out if they have a time limit. Defaults to
    /// 2.
    #[must_use]
    pub const fn faults(mut self, percent: u8) -> Self {
        self.settings.faults = percent;
        self
    }

    /// Replaces the function of a task.
    ///
    /// Functions that wait for a network or a timer must be replaced, since a monkey has no runtime to wake
    /// them. The task of a sub-process represents all functions inside it; the key of the call distinguishes
    /// them.
    #[must_use]
    pub fn code<O: Serialize>(
        mut self,
        task: P::Task,
        output: impl Fn(&Directive<P::Task>) -> O + 'static,
    ) -> Self {
        let to_json = |output: O| {
            serde_json::to_value(output).map_err(|error| FunctionError::from_error(&error))
        };
        self.settings.functions.replace(task, move |call| to_json(output(call)));
        self
    }

    /// Modifies the valid answers of a task of a model or a human. The function receives an answer that
    /// matches the schema, as JSON, and returns the answer to use.
    ///
    /// Tasks with checks across several fields need it, since random answers rarely pass them: that a range
    /// ends after its start, or that a sum is correct. Other kinds of answers are not modified, so that the
    /// task still receives invalid ones. The task of a sub-process represents all its model and human tasks.
    ///
    /// A task with `read` needs it too, or a mock: the monkey does not know a format of the program's own, and
    /// answers with arbitrary text, or with JSON if the task has a schema. The function returns the text of the
    /// reply as a string. If such a task has tools, some of the replies are native tool calls without text, which
    /// this function does not see and the reader of the task receives.
    ///
    /// ```
    /// # use cot_core::{prelude::*, testing::Monkey};
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    /// pub struct Span { pub first: u32, pub last: u32 }
    /// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    /// # pub struct Spans { pub spans: Vec<Span> }
    ///
    /// fn in_order(span: &Span, _: &Spans) -> Result<(), Issues> {
    ///     if span.first <= span.last { Ok(()) } else { Err(Issues::at("last", "is before the first")) }
    /// }
    ///
    /// cot_process! {
    ///     process Measure {
    ///         state: Spans,
    ///         task find -> Span { prompt: "Which span?", check: in_order, update: spans[], next: done }
    ///         task done { end }
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let monkey = Monkey::<Measure>::new(Spans::default).runs(100);
    /// let report = monkey
    ///     .reply(MeasureTask::Find, |mut span| {
    ///         span["last"] = span["first"].clone();
    ///         span
    ///     })
    ///     .run()?;
    /// assert!(report.ended("done") > 80, "{report}");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn reply(mut self, task: P::Task, make: impl Fn(Value) -> Value + 'static) -> Self {
        self.settings.replies.set(task, make);
        self
    }

    /// Replaces the function of a task with random outputs that match a schema:
    /// `.generated_code::<Page>(ResearchTask::Fetch)`.
    #[must_use]
    pub fn generated_code<O: CotOutput>(mut self, task: P::Task) -> Self {
        self.settings.functions.generate(task, O::output_schema());
        self
    }

    /// Sets goal, limits and mock mode of each run.
    #[must_use]
    pub fn options(mut self, options: MachineOptions) -> Self {
        self.settings.options = options;
        self
    }

    /// Sets a function that prepares each machine, for example by adding hooks. It is called before a run
    /// starts, and again after the state was restored from a snapshot, where it can set a
    /// [`Secret`](cot_engine::Secret) again.
    #[must_use]
    pub fn prepare(mut self, prepare: impl Fn(&mut Machine<P>) + 'static) -> Self {
        self.settings.prepare = Some(Box::new(prepare));
        self
    }

    /// Sets whether some runs are resumed from a snapshot. Defaults to true. Disable it for states that
    /// don't survive the conversion to JSON and back.
    #[must_use]
    pub const fn snapshots(mut self, on: bool) -> Self {
        self.settings.takes_snapshots = on;
        self
    }

    /// Checks invariants only after each task and at the end of a run, instead of after each event.
    #[must_use]
    pub fn between_tasks_only(mut self) -> Self {
        self.settings.invariants.between_tasks_only = true;
        self
    }

    /// Adds an invariant of the state, which is checked from the start on.
    ///
    /// The function returns a `bool`, or a `Result` whose error is the reason of the violation, or nothing
    /// if it asserts.
    #[must_use]
    pub fn invariant<V: Verdict>(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&P::State) -> V + 'static,
    ) -> Self {
        self.settings.invariants.of_state.add(name, Box::new(move |state| holds(state).verdict()));
        self
    }

    /// Adds an invariant of two successive states, the previous and the current one. Example: a number never
    /// decreases.
    #[must_use]
    pub fn step_invariant<V: Verdict>(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&P::State, &P::State) -> V + 'static,
    ) -> Self {
        let holds = Box::new(move |old: &_, new: &_| holds(old, new).verdict());
        self.settings.invariants.of_steps.add(name, holds);
        self
    }

    /// Adds an invariant of the machine: its history, usage and callers.
    #[must_use]
    pub fn machine_invariant<V: Verdict>(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&Machine<P>) -> V + 'static,
    ) -> Self {
        self.settings
            .invariants
            .of_machine
            .add(name, Box::new(move |machine| holds(machine).verdict()));
        self
    }

    /// Adds an invariant of the final state. Example: a mail exists when it is to be sent.
    #[must_use]
    pub fn end_invariant<V: Verdict>(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&P::Outcome, &P::State) -> V + 'static,
    ) -> Self {
        let holds = Box::new(move |outcome: &_, state: &_| holds(outcome, state).verdict());
        self.settings.invariants.of_ends.add(name, holds);
        self
    }

    /// Records the coverage in a given report, which can be shared with other tests.
    #[must_use]
    pub fn coverage(mut self, coverage: &Coverage<P>) -> Self {
        self.coverage = coverage.clone();
        self
    }

    /// Executes all runs.
    ///
    /// # Errors
    ///
    /// Fails with the shortest of the first failed runs.
    pub fn run(&self) -> Result<MonkeyReport<P>, MonkeyError<P>> {
        let mut responder =
            Responder::new(Replies::seeded(self.settings.seed).naming(P::Task::ALL));
        let mut report = MonkeyReport::new(self.settings.seed, self.coverage.clone());
        let mut shortest: Option<Box<FailedRun<P>>> = None;
        let mut failures = 0;
        for run in self.runs.clone() {
            match MonkeyRun::new(&self.settings, &mut responder, run).execute(&mut report) {
                Ok(()) => {}
                Err(found) => {
                    failures += 1;
                    // Each panic prints to standard error, so the first one ends the test.
                    let is_enough = found.problem.is_panic() || failures == MAX_FAILURES;
                    if shortest.as_ref().is_none_or(|other| found.is_shorter_than(other)) {
                        shortest = Some(found);
                    }
                    if is_enough {
                        break;
                    }
                }
            }
        }
        match shortest {
            None => Ok(report),
            Some(found) => {
                Err(MonkeyError::new(self.settings.seed, found, (failures, report.runs())))
            }
        }
    }
}

impl<P: Process> fmt::Debug for Monkey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monkey")
            .field("process", &P::DEFINITION.about.name)
            .field("seed", &self.settings.seed)
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}
