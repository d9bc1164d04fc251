//! An eval.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{Arc, Mutex},
};

use cot_engine::{Budget, Process, TaskId as _};
use cot_runtime::{RunReport, Runner, internal::wrap_models};
use futures_util::{StreamExt as _, stream};

use super::{
    metered_model::{Meter, MeteredModel, Paid},
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
/// A *trial* is one run of one case with one variant. It passes if all scorers give at least what they ask for. A run
/// that halts or reaches a `fail` task is scored like any other; a run that can't be started does not pass.
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

/// How far an eval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of trials that are over, those that the budget left out included.
    pub done: usize,
    /// The number of all trials.
    pub total: usize,
}

impl<P: Process, E> Eval<P, E> {
    /// Creates an eval without variants and scorers, in which each case runs once.
    pub fn new(name: impl Into<String>, cases: Vec<Case<P::State, E>>) -> Self {
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
    /// variants, so each has another one.
    pub fn variant(mut self, name: impl Into<String>, runner: Runner<P>) -> Self {
        self.variants.push((name.into().into(), runner));
        self
    }

    /// Adds a scorer. A trial passes if its score is 1.
    pub fn score<S: Into<Score>>(
        self,
        name: impl Into<String>,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        self.score_at_least(1.0, name, score)
    }

    /// Adds a scorer. A trial passes if its score is at least `least`; with 0, the score is only reported.
    pub fn score_at_least<S: Into<Score>>(
        mut self,
        least: f64,
        name: impl Into<String>,
        score: impl Fn(&Trial<'_, P, E>) -> S + Send + Sync + 'static,
    ) -> Self {
        self.scorers.push(Scorer::new(name.into(), least, score));
        self
    }

    /// Adds a scorer that waits for something: for a judge, which is a process of its own with a typed verdict and an
    /// engine of its own. A trial passes if its score is at least `least`.
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
    /// eval.judge(0.7, "tone", move |trial| {
    ///     let judged = judge.run(question(trial));
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
        mut self,
        least: f64,
        name: impl Into<String>,
        judge: impl Fn(&Trial<'_, P, E>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output: Into<Score>> + Send + 'static,
    {
        self.scorers.push(Scorer::judge(name.into(), least, judge));
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

    /// Runs all trials and reports their results, in the order of variants, cases and repeats. If the future is
    /// dropped, the replies so far are in the cache.
    pub async fn run(self) -> Report {
        let paid = Paid::default();
        let mut trials = Vec::new();
        for variant in 0..self.variants.len() {
            for case in 0..self.cases.len() {
                trials.extend((1..=self.repeats).map(|repeat| (variant, case, repeat)));
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
                result
            }
        });
        let results = results.buffered(self.concurrency.get()).collect::<Vec<_>>().await;
        let left_out = results.iter().filter(|result| result.is_none()).count();
        Report {
            name: self.name,
            process: P::DEFINITION.about.name.to_owned(),
            version: P::DEFINITION.version.map(str::to_owned),
            scorers: self.scorers.into_iter().map(|scorer| (scorer.name, scorer.least)).collect(),
            trials: results.into_iter().flatten().collect(),
            left_out,
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
        let metered = |inner| MeteredModel { inner, meter: Arc::clone(&meter) };
        let (watch, runner) = Watch::new(wrap_models(runner.clone(), metered));
        let run = runner.report(case.state.clone()).await;
        let mut result = TrialResult::new(name, &case.name, &case.tags, repeat);
        match run {
            Ok(report) => self.score_run(&mut result, case, &report, watch.into_facts()).await,
            Err(error) => result.error = Some(error.to_string()),
        }
        result
    }

    async fn score_run(
        &self,
        result: &mut TrialResult,
        case: &Case<P::State, E>,
        report: &RunReport<P>,
        facts: RunFacts<P>,
    ) {
        let RunFacts { outputs, ending, elapsed, tasks } = facts;
        result.tasks = tasks;
        result.end = ending.as_ref().map(|ending| task_of(ending).name().to_owned());
        (result.why, result.usage, result.elapsed) = (report.why(), report.usage, elapsed);
        result.passed = true;
        for scorer in &self.scorers {
            // Made for each scorer, since a trial is not shared between threads.
            let trial = Trial { case, report, outputs: &outputs, ending: &ending, elapsed };
            let score = scorer.start(&trial);
            let score = score.await;
            result.passed &= score.value >= scorer.least;
            result.scores.insert(scorer.name.clone(), score);
        }
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
