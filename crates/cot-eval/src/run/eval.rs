//! An eval.

use std::{
    collections::BTreeSet,
    fmt,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
};

use cot_engine::{Budget, Ending, HaltReason, Process, TaskId as _};
use cot_runtime::{RunReport, Runner};
use futures_util::{StreamExt as _, stream};

use super::{
    metered_model::{Meter, Paid},
    reply_cache::ReplyCache,
    scorer::Scorer,
    trial::{Trial, task_of},
    watch::{RunFacts, Watch},
};
use crate::{
    cases::case::Case,
    report::{report::Report, result::TrialResult},
    score::Score,
};

/// The number of trials at a time, unless the eval says another one.
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
    name: String,
    cases: Vec<Case<P::State, E>>,
    variants: Vec<(Arc<str>, Runner<P>)>,
    scorers: Vec<Scorer<P, E>>,
    repeats: u32,
    concurrency: NonZeroUsize,
    budget: Budget,
    cache: Option<ReplyCache>,
    on_result: Option<Box<ResultFunction>>,
}

type ResultFunction = dyn Fn(&TrialResult, Progress) + Send + Sync;

/// Gives a case whose name another one has before it a number.
fn tell_apart<S, E>(cases: &mut [Case<S, E>]) {
    let mut known = BTreeSet::new();
    for case in cases {
        let name = case.name.clone();
        let mut number = 1_usize;
        while !known.insert(case.name.clone()) {
            number += 1;
            case.name = format!("{name} ({number})");
        }
    }
}

/// How far an eval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of trials that are over. Those that the budget left out count, and are not told.
    pub done: usize,
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
            variants: Vec::new(),
            scorers: Vec::new(),
            repeats: 1,
            concurrency: DEFAULT_CONCURRENCY,
            budget: Budget::NONE,
            cache: None,
            on_result: None,
        }
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

    /// Sets a function that is called after each trial, for a progress bar.
    pub fn on_result(
        mut self,
        function: impl Fn(&TrialResult, Progress) + Send + Sync + 'static,
    ) -> Self {
        self.on_result = Some(Box::new(function));
        self
    }

    /// Runs all trials and reports their results, in the order of variants, cases and repeats. They run case by case, so
    /// that a budget leaves out the last cases of all variants. If the future is dropped, the replies so far are in the
    /// cache.
    pub async fn run(self) -> Report {
        let paid = Paid::default();
        let mut trials = Vec::new();
        for case in 0..self.cases.len() {
            for repeat in 1..=self.repeats {
                trials.extend((0..self.variants.len()).map(|variant| (variant, case, repeat)));
            }
        }
        let total = trials.len();
        let done = Mutex::new(0);
        let results = stream::iter(trials).map(|trial| {
            let (this, paid, done) = (&self, &paid, &done);
            async move {
                let is_affordable = !this.budget.is_exhausted_by(&paid.usage());
                let result = if is_affordable { Some(this.trial(trial, paid).await) } else { None };
                this.tell(result.as_ref(), done, total);
                (trial, result)
            }
        });
        let mut results: Vec<_> = results.buffer_unordered(self.concurrency.get()).collect().await;
        results.sort_unstable_by_key(|(trial, _)| *trial);
        let trials: Vec<TrialResult> =
            results.into_iter().filter_map(|(_, result)| result).collect();
        Report {
            name: self.name,
            process: P::DEFINITION.about.name.to_owned(),
            version: P::DEFINITION.version.map(str::to_owned),
            variants: self.variants.iter().map(|(name, _)| name.to_string()).collect(),
            scorers: self.scorers.into_iter().map(|scorer| (scorer.name, scorer.least)).collect(),
            left_out: total - trials.len(),
            trials,
            paid: paid.usage(),
            cache_error: self.cache.and_then(|cache| cache.failure()),
        }
    }

    fn tell(&self, result: Option<&TrialResult>, done: &Mutex<usize>, total: usize) {
        let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *done += 1;
        if let (Some(tell), Some(result)) = (&self.on_result, result) {
            tell(result, Progress { done: *done, total });
        }
    }

    async fn trial(
        &self,
        (variant, case, repeat): (usize, usize, u32),
        paid: &Paid,
    ) -> TrialResult {
        let (name, runner) = &self.variants[variant];
        let case = &self.cases[case];
        let meter = Arc::new(Meter {
            paid: paid.clone(),
            cache: self.cache.clone(),
            variant: Arc::clone(name),
            repeat,
            made: Mutex::default(),
        });
        let (watch, runner) = Watch::new(meter.wrap(runner.clone()));
        let run = runner.report(case.state.clone()).await;
        let mut result = TrialResult::new(name, &case.name, &case.tags, repeat);
        match run {
            Ok(report) => {
                let facts = watch.into_facts();
                self.score_run(&mut result, &meter, case, &report, facts).await;
            }
            Err(error) => result.error = Some(error.to_string()),
        }
        result
    }

    async fn score_run(
        &self,
        result: &mut TrialResult,
        meter: &Arc<Meter>,
        case: &Case<P::State, E>,
        report: &RunReport<P>,
        facts: RunFacts<P>,
    ) {
        let RunFacts { outputs, ending, elapsed, tasks } = facts;
        result.tasks = tasks;
        result.end = ending.as_ref().map(|ending| task_of(ending).name().to_owned());
        (result.why, result.usage, result.elapsed) = (report.why(), report.usage, elapsed);
        if is_outage(ending.as_ref()) {
            result.error = result.why.take();
            return;
        }
        // Without scorers, a run that has not failed passes.
        result.passed = !self.scorers.is_empty() || result.why.is_none();
        for scorer in &self.scorers {
            // Made for each scorer, since a trial is not shared between threads.
            let trial = Trial { case, report, outputs: &outputs, ending: &ending, elapsed, meter };
            let score = scorer.start(&trial);
            let score = score.await;
            result.passed &= score.value >= scorer.least;
            result.scores.insert(scorer.name.clone(), score);
        }
        if !result.passed {
            result.state = serde_json::to_value(&report.state).ok();
        }
    }
}

/// Returns whether a run says nothing about the process, since its model could not be reached.
fn is_outage<T>(ending: Option<&Ending<T>>) -> bool {
    matches!(ending, Some(Ending::Halted(halt)) if matches!(halt.reason, HaltReason::Unreachable(_)))
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
