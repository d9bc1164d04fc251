//! Runs the trials of an eval.

use std::sync::{Arc, Mutex, PoisonError};

use cot_engine::{Ending, HaltReason, Process, TaskId as _};
use cot_model::internal::refer_to_blobs;
use cot_runtime::{Runner, internal::has_store};
use futures_util::{StreamExt as _, stream};
use serde_json::Value;

use super::{
    eval::{Eval, Progress, TaskStarts},
    metered_model::{Meter, Paid},
    trial::{Ran, Trial},
    watch::{RunFacts, Watch},
};
use crate::report::{report::Report, result::TrialResult};

/// The most bytes of the states in a report, as JSON.
const MAX_STATES: usize = 64 << 20;

/// What the trials have in common that are over.
struct Tally {
    at: Progress,
    /// The bytes of the states that were kept.
    states: usize,
}

impl Tally {
    /// Drops a state if the report has no room for it.
    fn bound(&mut self, state: &mut Option<Value>) {
        let Some(json) = state else { return };
        self.states += json.to_string().len();
        if self.states > MAX_STATES {
            *state = None;
        }
    }
}

impl<P: Process, E> Eval<P, E> {
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
        let tally = Mutex::new(Tally { at: Progress { done: 0, failed: 0, total }, states: 0 });
        let results = stream::iter(trials).map(|trial| {
            let (this, paid, tally) = (&self, &paid, &tally);
            async move {
                let is_affordable = !this.budget.is_exhausted_by(&paid.usage());
                let mut result =
                    if is_affordable { Some(this.trial(trial, paid).await) } else { None };
                this.tell(result.as_mut(), tally);
                (trial, result)
            }
        });
        let mut results: Vec<_> = results.buffer_unordered(self.concurrency.get()).collect().await;
        results.sort_unstable_by_key(|(trial, _)| *trial);
        let mut trials: Vec<TrialResult> =
            results.into_iter().filter_map(|(_, result)| result).collect();
        Report {
            name: self.name,
            process: P::DEFINITION.about.name.to_owned(),
            version: P::DEFINITION.version.map(str::to_owned),
            variants: self.variants.iter().map(|(name, _)| name.to_string()).collect(),
            scorers: self.scorers.into_iter().map(|scorer| (scorer.name, scorer.least)).collect(),
            at: trials.iter_mut().filter_map(|trial| trial.at.take()).max(),
            left_out: total - trials.len(),
            trials,
            paid: paid.usage(),
            cache_error: self.cache.and_then(|cache| cache.failure()),
        }
    }

    fn tell(&self, mut result: Option<&mut TrialResult>, tally: &Mutex<Tally>) {
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.at.done += 1;
        if let Some(result) = &mut result {
            tally.at.failed += usize::from(!result.passed);
            tally.bound(&mut result.state);
        }
        if let Some(tell) = &self.on_result {
            tell(result.as_deref(), tally.at);
        }
    }

    async fn trial(
        &self,
        (variant, index, repeat): (usize, usize, u32),
        paid: &Paid,
    ) -> TrialResult {
        let (name, runner) = &self.variants[variant];
        let case = &self.cases[index];
        let meter = Arc::new(Meter {
            paid: paid.clone(),
            cache: self.cache.clone(),
            variant: Arc::clone(name),
            repeat,
            seed: self.seed,
            made: Mutex::default(),
        });
        let (watch, watched) = Watch::new(meter.wrap(runner.clone()));
        let run = self.start(&watched, index).await;
        let mut result = TrialResult::new(name, &case.name, &case.tags, repeat);
        match run {
            Ok(ran) => {
                if let Ran::Process(report) = &ran {
                    result.run = has_store(runner).then(|| report.run_id.clone());
                }
                self.score_run(&mut result, &meter, index, &ran, watch.into_facts()).await;
            }
            Err(error) => result.error = Some(error),
        }
        result
    }

    /// Runs the process, or the task, of a case.
    async fn start(&self, runner: &Runner<P>, index: usize) -> Result<Ran<P>, String> {
        let state = self.cases[index].state.clone();
        let Some(TaskStarts { task, inputs }) = &self.task else {
            let report = runner.report(state).await;
            return report
                .map(|report| Ran::Process(Box::new(report)))
                .map_err(|error| error.to_string());
        };
        let run = match inputs[index].clone()? {
            Some(inputs) => runner.run_task_with(*task, inputs, state),
            None => runner.run_task(*task, state),
        };
        run.report().await.map(|run| Ran::Task(Box::new(run))).map_err(|error| error.to_string())
    }

    async fn score_run(
        &self,
        result: &mut TrialResult,
        meter: &Arc<Meter>,
        index: usize,
        ran: &Ran<P>,
        facts: RunFacts<P>,
    ) {
        let RunFacts { outputs, ending, elapsed, at, tasks, .. } = facts;
        (result.tasks, result.at) = (tasks, at);
        result.end = ending.as_ref().map(|ending| ending.task().name().to_owned());
        result.why = ending.as_ref().and_then(Ending::why);
        (result.usage, result.elapsed) = (ran.usage(), elapsed);
        if is_outage(ending.as_ref()) {
            result.error = result.why.take();
            return;
        }
        // Without scorers, a run that has not failed passes.
        result.passed = !self.scorers.is_empty() || result.why.is_none();
        for scorer in &self.scorers {
            // Made for each scorer, since a trial is not shared between threads.
            let case = &self.cases[index];
            let inputs =
                self.task.as_ref().and_then(|task| task.inputs[index].as_ref().ok()?.as_ref());
            let trial =
                Trial { case, inputs, ran, outputs: &outputs, ending: &ending, elapsed, meter };
            let score = scorer.start(&trial);
            let score = score.await;
            result.passed &= score.value >= scorer.least;
            result.scores.insert(scorer.name.clone(), score);
        }
        if !result.passed {
            // Without the bytes of images, of which a report would have a copy for each trial.
            result.state = refer_to_blobs(|| serde_json::to_value(ran.state())).ok();
        }
    }
}

/// Returns whether a run says nothing about the process, since its model could not be reached.
fn is_outage<T>(ending: Option<&Ending<T>>) -> bool {
    matches!(ending, Some(Ending::Halted(halt)) if matches!(halt.reason, HaltReason::Unreachable(_)))
}
