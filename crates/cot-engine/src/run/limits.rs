//! The remaining limits of a run.

use std::time::Duration;

use cot_model::{ModelError, ModelErrorKind, Usage};

use crate::{
    process::{limits::Limits, tables::TaskIndex},
    run::{
        attempts::Attempts,
        context::{RunFacts, Visit},
    },
    values::outcome::HaltReason,
};

/// The remaining time of a limit, and the reason to halt once it has passed.
pub(crate) type TimeLeft = (Duration, HaltReason);

impl RunFacts {
    /// Applies the remaining limits of the process that runs this one.
    pub(crate) fn apply_inherited(&mut self, inherited: Limits) {
        self.inherited = inherited;
        self.limits = Limits::declared(self.definition, &self.options).and(inherited);
    }

    /// Returns the remaining limits for the sub-process of a task.
    pub(crate) fn child_limits(&self, visit: &Visit, attempts: &Attempts) -> Limits {
        let limits = self.limits;
        let task = self.definition.task(visit.task).timeout;
        let task = task.map(|limit| limit.saturating_sub(attempts.spent));
        let run = limits.time.map(|limit| limit.saturating_sub(self.elapsed));
        Limits {
            steps: limits.steps.map(|limit| limit.saturating_sub(self.steps)),
            time: task.into_iter().chain(run).min(),
            budget: limits.budget.after(&self.usage),
        }
    }

    /// Returns the limit of steps or time that is reached, if one is.
    pub(crate) fn reached_limit(&self) -> Option<HaltReason> {
        let limits = self.limits;
        if let Some(limit) = limits.steps.filter(|limit| self.steps >= *limit) {
            return Some(HaltReason::MaxSteps(limit));
        }
        let time = limits.time.filter(|limit| self.elapsed >= *limit);
        time.map(HaltReason::RunTimeout)
    }

    /// Returns the reason to halt if the budget, less the calls in flight, is used up.
    pub(crate) fn exhausted_budget(&self, in_flight: usize) -> Option<HaltReason> {
        let budget = self.limits.budget;
        let calls = u64::try_from(in_flight).unwrap_or(u64::MAX);
        let usage = self.usage + Usage { calls, ..Usage::default() };
        budget.is_exhausted_by(&usage).then_some(HaltReason::Budget(budget))
    }

    /// Returns the remaining time of a task or of the run, whichever is less. `run` is the elapsed time of
    /// the run as the call sees it, since concurrent calls do not add up.
    pub(crate) fn time_left(
        &self,
        task: TaskIndex,
        spent: Duration,
        run: Duration,
    ) -> Option<TimeLeft> {
        self.limit_left(self.definition.task(task).timeout, spent, run)
    }

    /// Returns the remaining time of a limit or of the run, whichever is less.
    pub(crate) fn limit_left(
        &self,
        limit: Option<Duration>,
        spent: Duration,
        run: Duration,
    ) -> Option<TimeLeft> {
        let of_task =
            limit.map(|limit| (limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)));
        let of_run = self
            .limits
            .time
            .map(|limit| (limit.saturating_sub(run), HaltReason::RunTimeout(limit)));
        [of_task, of_run].into_iter().flatten().min_by_key(|(left, _)| *left)
    }

    /// Returns the remaining time of a function. If timeouts are retried, the limit of the task applies to
    /// each attempt.
    pub(crate) fn time_for_function(
        &self,
        task: TaskIndex,
        attempts: &Attempts,
    ) -> Option<TimeLeft> {
        let is_of_each = self.definition.task(task).retry.timeouts;
        let spent = if is_of_each { Duration::ZERO } else { attempts.spent };
        self.time_left(task, spent, self.elapsed)
    }

    /// Returns the remaining time of a person. The time of the run does not pass meanwhile.
    pub(crate) fn time_for_person(&self, task: TaskIndex, spent: Duration) -> Option<TimeLeft> {
        let limit = self.definition.task(task).timeout?;
        Some((limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)))
    }
}

/// Returns the reason of a timeout, given the limit that the driver applied.
pub(crate) fn timeout_reason(limit: Option<TimeLeft>) -> HaltReason {
    match limit {
        Some((_, reason)) => reason,
        None => HaltReason::Unreachable(ModelError::new(
            ModelErrorKind::Timeout,
            "the driver waited no longer for the reply",
        )),
    }
}

/// Returns the reason to halt if no time remains.
pub(crate) fn expired_limit(left: Option<TimeLeft>) -> Option<HaltReason> {
    left.filter(|(left, _)| left.is_zero()).map(|(_, reason)| reason)
}
