//! A driver that does to a process what no test would think of.

use std::{fmt, ops::Range};

use cot_engine::{Directive, FunctionError, Machine, MachineOptions, Process, TaskId};
use cot_schema::CotOutput;
use serde::Serialize;
use serde_json::Value;

use crate::{
    coverage::coverage::Coverage,
    mixture::Mixture,
    monkey::{
        answers::Hands,
        failure::MonkeyError,
        invariants::Verdict,
        one_run::{Broken, OneRun},
        report::MonkeyReport,
        settings::Settings,
    },
    replies::Replies,
};

/// Drives a process through thousands of runs, with answers made at random, and checks after each of
/// them what has to hold.
///
/// It works on the [`Machine`] itself: no runner, no clock, no network. Models and people answer from
/// the schemas of what they are asked, well and badly, by a [`Mixture`]; functions are really run.
/// Everything random comes from a seed, so that a failure reproduces, and a failing run is told by its
/// number.
///
/// Besides the invariants that it is given, it always checks that
///
/// - nothing panics;
/// - each answer is taken, and one that comes twice changes nothing;
/// - polling twice gives the same directive, and so does a run that goes on from a snapshot;
/// - a run ends, within its own limit of steps, and that of the monkey.
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
/// So many failing runs are enough to choose the shortest from.
const MAX_FAILURES: u64 = 20;

impl<P: Process> Monkey<P> {
    /// A monkey whose runs all start with the same state.
    #[must_use]
    pub fn new(state: impl Fn() -> P::State + 'static) -> Self {
        Self::with_states(move |_| state())
    }

    /// A monkey whose runs start with states of their own. The function gets the number of the run,
    /// and gives the same state for the same number.
    #[must_use]
    pub fn with_states(state: impl Fn(u64) -> P::State + 'static) -> Self {
        Self { settings: Settings::new(Box::new(state)), runs: 0..RUNS, coverage: Coverage::new() }
    }

    /// Where all chance comes from; 0 unless it is said.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// How many runs there are; 1000 unless it is said.
    #[must_use]
    pub const fn runs(mut self, runs: u64) -> Self {
        self.runs = 0..runs;
        self
    }

    /// The one run of this number, as a failure tells it.
    #[must_use]
    pub const fn only_run(mut self, run: u64) -> Self {
        self.runs = run..run.saturating_add(1);
        self
    }

    /// Most tasks that a run may come to; 1000 unless it is said. A run that goes on for longer is a
    /// failure: with a real model it might never end. The limit of the process itself is another
    /// one: runs halt there, and that is no failure.
    #[must_use]
    pub const fn max_steps(mut self, steps: u64) -> Self {
        self.settings.max_steps = steps;
        self
    }

    /// How often models answer in which way. Unless it is said, [`Mixture::default`] with one
    /// truncated reply, one refusal, one failed call and one time-out to each hundred of its own.
    #[must_use]
    pub const fn mixture(mut self, mixture: Mixture) -> Self {
        self.settings.mixture = mixture;
        self
    }

    /// How often people answer in which way: well, nearly well, with something else, or with texts that
    /// no program expects. They let time pass where their time is limited, and say nothing (`null`)
    /// where a model would fail, refuse, or be cut off.
    #[must_use]
    pub const fn people(mut self, mixture: Mixture) -> Self {
        self.settings.people = mixture;
        self
    }

    /// In how many cases of a hundred a function fails, or takes too long where its time is limited;
    /// 2 unless it is said.
    #[must_use]
    pub const fn faults(mut self, percent: u8) -> Self {
        self.settings.faults = percent;
        self
    }

    /// What the function of a task returns, in place of what it would really do.
    ///
    /// A function that waits, for a network or a timer, needs it: there is nothing here that would
    /// wake it. The task of a sub-process stands for all functions in there; the key of the call tells
    /// them apart.
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

    /// Makes the valid answers of a task: those of a model or of a person. The function gets an answer that
    /// fits the schema of what is asked, as JSON, and returns the one that is given.
    ///
    /// Checks across several fields need it, since no answer made at random passes them: that the end of a
    /// range is after its beginning, or that a sum adds up. All other answers stay as they are, so that the
    /// task still gets wrong ones. The task of a sub-process stands for all that is asked in there.
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

    /// Makes up what the function of a task returns, from the schema of its output:
    /// `.generated_code::<Page>(ResearchTask::Fetch)`.
    #[must_use]
    pub fn generated_code<O: CotOutput>(mut self, task: P::Task) -> Self {
        self.settings.functions.generate(task, O::output_schema());
        self
    }

    /// The goal, limits and mock mode of each run.
    #[must_use]
    pub fn options(mut self, options: MachineOptions) -> Self {
        self.settings.options = options;
        self
    }

    /// Prepares each machine: adds hooks to it, for instance. It is called before a run starts, and
    /// again, with the state in place, when one goes on from a snapshot: there it can put a
    /// [`Secret`](cot_engine::Secret) back.
    #[must_use]
    pub fn prepare(mut self, prepare: impl Fn(&mut Machine<P>) + 'static) -> Self {
        self.settings.prepare = Some(Box::new(prepare));
        self
    }

    /// Whether runs now and then go on from a snapshot; they do unless it is said. A state that does
    /// not come out of JSON as it went in can't.
    #[must_use]
    pub const fn snapshots(mut self, on: bool) -> Self {
        self.settings.takes_snapshots = on;
        self
    }

    /// Checks invariants only where a run has left a task, and at its end, in place of after each
    /// event.
    #[must_use]
    pub fn between_tasks_only(mut self) -> Self {
        self.settings.invariants.between_tasks_only = true;
        self
    }

    /// Something that holds for the state at all times, from the start on.
    ///
    /// It returns a `bool`; or a `Result` whose error says why it does not hold; or nothing, and
    /// asserts.
    #[must_use]
    pub fn invariant<V: Verdict>(
        mut self,
        name: impl Into<String>,
        holds: impl Fn(&P::State) -> V + 'static,
    ) -> Self {
        self.settings.invariants.of_state.add(name, Box::new(move |state| holds(state).verdict()));
        self
    }

    /// Something that holds for the state as it was when it was checked before, and as it is: that a
    /// number never goes down, for instance.
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

    /// Something that holds for the whole run at all times: its history, its usage, its callers.
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

    /// Something that holds when a run has ended: that there is a mail when it is to be sent, for
    /// instance.
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

    /// Counts what is exercised into a report of one's own, which other tests fill too.
    #[must_use]
    pub fn coverage(mut self, coverage: &Coverage<P>) -> Self {
        self.coverage = coverage.clone();
        self
    }

    /// Does all runs.
    ///
    /// # Errors
    ///
    /// The shortest of the first runs in which something did not hold.
    pub fn run(&self) -> Result<MonkeyReport<P>, MonkeyError<P>> {
        let mut hands = Hands::new(Replies::seeded(self.settings.seed).naming(P::Task::ALL));
        let mut report = MonkeyReport::new(self.settings.seed, self.coverage.clone());
        let mut shortest: Option<Box<Broken<P>>> = None;
        let mut broken = 0;
        for run in self.runs.clone() {
            match OneRun::new(&self.settings, &mut hands, run).go(&mut report) {
                Ok(()) => {}
                Err(found) => {
                    broken += 1;
                    // Each panic is printed to the standard error: one of them is enough.
                    let is_enough = found.problem.is_panic() || broken == MAX_FAILURES;
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
                Err(MonkeyError::new(self.settings.seed, found, (broken, report.runs())))
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
