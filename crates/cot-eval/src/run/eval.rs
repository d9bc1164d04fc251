//! An eval.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    num::NonZeroUsize,
    sync::Arc,
};

use cot_engine::{Budget, Inputs, Process, TaskId as _};
use cot_runtime::Runner;
use serde::Serialize;

use super::{reply_cache::ReplyCache, scorer::Scorer, trial::Trial};
use crate::{cases::case::Case, report::result::TrialResult, score::Score};

/// The number of trials at a time, unless the eval says another one.
// Evaluated by the compiler, which would refuse a zero.
const DEFAULT_CONCURRENCY: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Runs cases with variants of a process, some times each, and scores the runs.
///
/// A *trial* is one run of one case with one variant. It passes if all scorers give at least what they ask for; without
/// scorers, if the run has not failed. A run that halts or reaches a `fail` task is scored like any other. If the run can't
/// be started, or its model can't be reached, the trial has an [error](TrialResult::error) and no score, and counts in no
/// rate.
///
/// The [crate documentation](crate) has an example.
#[must_use = "an eval does nothing until it is run"]
pub struct Eval<P: Process, E = ()> {
    pub(super) name: String,
    pub(super) cases: Vec<Case<P::State, E>>,
    /// The task that runs alone, with its inputs in each case.
    pub(super) task: Option<TaskStarts<P>>,
    pub(super) variants: Vec<(Arc<str>, Runner<P>)>,
    pub(super) scorers: Vec<Scorer<P, E>>,
    pub(super) repeats: u32,
    pub(super) seed: Option<u64>,
    pub(super) concurrency: NonZeroUsize,
    pub(super) budget: Budget,
    pub(super) cache: Option<ReplyCache>,
    pub(super) on_result: Option<Box<ResultFunction>>,
}

type ResultFunction = dyn Fn(Option<&TrialResult>, Progress) + Send + Sync;

/// How each case starts a task that runs alone.
pub(super) struct TaskStarts<P: Process> {
    pub(super) task: P::Task,
    /// The inputs of each case; why they don't fit the task.
    pub(super) inputs: Vec<Result<Option<Inputs>, String>>,
}

/// Reads values as the inputs of a task, so that those of another type are an error, and not a panic of the task.
fn inputs_of_task<P: Process>(
    task: P::Task,
    inputs: &impl Serialize,
) -> Result<Option<Inputs>, String> {
    let index = P::Task::ALL.iter().position(|other| *other == task);
    let code = index.and_then(|index| P::CODE.tasks.get(index)?.inputs.as_ref());
    let json = serde_json::to_value(inputs).map_err(|error| error.to_string())?;
    match code {
        Some(code) => (code.read)(json).map(Some).map_err(|issues| {
            format!("the inputs of the case don't fit the task `{}`: {issues}", task.name())
        }),
        None if json.is_null() => Ok(None),
        None => Err(format!("the case has inputs, and the task `{}` takes none", task.name())),
    }
}

/// Gives a case whose name another one has before it a number.
fn tell_apart<S, E>(cases: &mut [Case<S, E>]) {
    let mut known = HashSet::new();
    // The number to try next, so that many cases of one name are not counted from the first.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for case in cases {
        if known.contains(&case.name) {
            let name = case.name.clone();
            let number = numbers.entry(name.clone()).or_insert(1);
            while known.contains(&case.name) {
                *number += 1;
                case.name = format!("{name} ({number})");
            }
        }
        known.insert(case.name.clone());
    }
}

/// How far an eval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of trials that are over. Those that the budget left out count.
    pub done: usize,
    /// The number of these that did not pass, or have an error.
    pub failed: usize,
    /// The number of all trials.
    pub total: usize,
}

impl<P: Process, E> Eval<P, E> {
    /// Creates an eval without variants and scorers, in which each case runs once. Of cases with the same name, the later
    /// ones get a number.
    pub fn new(name: impl Into<String>, mut cases: Vec<Case<P::State, E>>) -> Self {
        tell_apart(&mut cases);
        Self {
            name: name.into(),
            cases,
            task: None,
            variants: Vec::new(),
            scorers: Vec::new(),
            repeats: 1,
            seed: None,
            concurrency: DEFAULT_CONCURRENCY,
            budget: Budget::NONE,
            cache: None,
            on_result: None,
        }
    }

    /// Creates an eval of one task, which runs alone: with its retries, checks and commit, from the state and the inputs of
    /// each case. Scorers see its [outputs](Trial::outputs) and its [end](Trial::task_run). Such runs are not stored.
    ///
    /// ```
    /// # use cot_core::{model::ScriptedModel, prelude::*};
    /// # use cot_core::eval::{Case, Eval};
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    /// # struct Desk { folder: String }
    /// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    /// # struct Folder { name: String }
    /// #[derive(Debug, Clone, Serialize, Deserialize)]
    /// struct Mail {
    ///     text: String,
    /// }
    /// # cot_process! {
    /// #     process Sorter {
    /// #         state: Desk,
    /// #         task begin { next: sort with Mail { text: String::new() } }
    /// #         task sort -> Folder {
    /// #             inputs: Mail,
    /// #             prompt: "Name the folder: ${inputs.text}",
    /// #             update: { folder = output.name },
    /// #             next: done,
    /// #         }
    /// #         task done { end }
    /// #     }
    /// # }
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    ///
    /// let cases = "name,state.folder,inputs.text,expected\ninvoice,,Invoice 7,bills\n";
    /// let cases = Case::<Desk, String, Mail>::from_csv(cases)?;
    /// let model = ScriptedModel::new([r#"{"name": "bills"}"#]);
    /// let report = Eval::for_task("sorting", SorterTask::Sort, cases)
    ///     .variant("small", Sorter::runner().model(model))
    ///     .score("folder", |trial| trial.state().folder == *trial.expected())
    ///     .run()
    ///     .await;
    /// assert_eq!(report.summary("small").passed, 1);
    /// # Ok::<_, cot_core::eval::CaseError>(())
    /// # }).unwrap();
    /// ```
    pub fn for_task<I: Serialize>(
        name: impl Into<String>,
        task: P::Task,
        cases: Vec<Case<P::State, E, I>>,
    ) -> Self {
        let inputs = cases.iter().map(|case| inputs_of_task::<P>(task, &case.inputs)).collect();
        let cases = cases.into_iter().map(|case| case.with_inputs(())).collect();
        Self { task: Some(TaskStarts { task, inputs }), ..Self::new(name, cases) }
    }

    /// Adds a variant: a runner with its models, context, goal and limits. Reports are compared by the names of
    /// variants. A variant of the same name is replaced.
    pub fn variant(mut self, name: impl Into<String>, runner: Runner<P>) -> Self {
        let name: Arc<str> = name.into().into();
        self.variants.retain(|(known, _)| *known != name);
        self.variants.push((name, runner));
        self
    }

    /// Adds a scorer. A trial passes if its score is 1.
    pub fn score<S: Into<Score>>(
        self,
        name: impl Into<String>,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        self.score_at_least(name, 1.0, score)
    }

    /// Adds a scorer whose scores are only reported: no trial fails by them, and no comparison.
    pub fn metric<S: Into<Score>>(
        self,
        name: impl Into<String>,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        self.score_at_least(name, 0.0, score)
    }

    /// Adds a scorer. A trial passes if its score is at least `least`. A scorer of the same name is replaced.
    pub fn score_at_least<S: Into<Score>>(
        self,
        name: impl Into<String>,
        least: f64,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        self.with_scorer(Scorer::new(name.into(), least, score))
    }

    /// Adds an async scorer: a judge, which is a process of its own with a typed verdict and an engine of its own. A trial
    /// passes if its score is at least `least`. The calls of a judge count if its runner is
    /// [metered](Trial::metered).
    ///
    /// ```
    /// # use cot_core::{Process, Runner};
    /// # use cot_core::eval::{Eval, Trial, score::Score};
    /// # #[allow(dead_code, reason = "no process is declared here")]
    /// # fn judged<P: Process, J: Process>(
    /// #     eval: Eval<P>,
    /// #     judge: Runner<J>,
    /// #     question: fn(&Trial<'_, P, ()>) -> J::State,
    /// #     verdict: fn(&J::State) -> Score,
    /// # ) -> Eval<P> {
    /// eval.judge("tone", 0.7, move |trial| {
    ///     let judged = trial.metered(judge.clone()).run(question(trial));
    ///     async move {
    ///         match judged.await {
    ///             Ok(run) => verdict(&run.state),
    ///             Err(error) => Score::fail(error.to_string()),
    ///         }
    ///     }
    /// })
    /// # }
    /// ```
    pub fn judge<F>(
        self,
        name: impl Into<String>,
        least: f64,
        judge: impl Fn(&Trial<'_, P, E>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output: Into<Score>> + Send + 'static,
    {
        self.with_scorer(Scorer::judge(name.into(), least, judge))
    }

    fn with_scorer(mut self, scorer: Scorer<P, E>) -> Self {
        self.scorers.retain(|known| known.name != scorer.name);
        self.scorers.push(scorer);
        self
    }

    /// Sets how often each case runs with each variant; 1 by default. Models answer by chance, and one run says little.
    pub fn repeats(mut self, repeats: u32) -> Self {
        self.repeats = repeats;
        self
    }

    /// Sets the seed of requests that have none, for engines that can repeat a reply. Each further repeat has the next
    /// seed, also after the seed of a task: with the same one, an engine would repeat itself.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets how many trials run at the same time; 4 by default.
    pub fn concurrency(mut self, trials: NonZeroUsize) -> Self {
        self.concurrency = trials;
        self
    }

    /// Sets what all trials together may consume. Once it is used up, no further trial is started, and the report says
    /// how many were left out. Replies from the [cache](Self::cache) are free.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets the cache of replies.
    pub fn cache(mut self, cache: ReplyCache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Sets a function that is called after each trial, for a progress bar: with its result, unless the budget left it out.
    pub fn on_result(
        mut self,
        function: impl Fn(Option<&TrialResult>, Progress) + Send + Sync + 'static,
    ) -> Self {
        self.on_result = Some(Box::new(function));
        self
    }
}

impl<P: Process, E> fmt::Debug for Eval<P, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variants: Vec<_> = self.variants.iter().map(|(name, _)| name).collect();
        let scorers: Vec<_> = self.scorers.iter().map(|scorer| &scorer.name).collect();
        f.debug_struct("Eval")
            .field("name", &self.name)
            .field("cases", &self.cases.len())
            .field("variants", &variants)
            .field("scorers", &scorers)
            .field("repeats", &self.repeats)
            .finish_non_exhaustive()
    }
}
