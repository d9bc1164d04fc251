//! What a run may still consume.

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

/// A time limit: what is left of it, and the reason when nothing is.
pub(crate) type TimeLeft = (Duration, HaltReason);

impl RunFacts {
    /// Takes on what the process that runs this one has left.
    pub(crate) fn inherit(&mut self, inherited: Limits) {
        self.inherited = inherited;
        self.limits = Limits::declared(self.definition, &self.options).and(inherited);
    }

    /// Returns what is left for a process that a task runs.
    pub(crate) fn left_for(&self, visit: &Visit, attempts: &Attempts) -> Limits {
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

    /// Returns the limit that keeps another task from starting, if one is reached.
    pub(crate) fn limit_reached(&self) -> Option<HaltReason> {
        let limits = self.limits;
        if let Some(limit) = limits.steps.filter(|limit| self.steps >= *limit) {
            return Some(HaltReason::MaxSteps(limit));
        }
        let time = limits.time.filter(|limit| self.elapsed >= *limit);
        time.map(HaltReason::RunTimeout)
    }

    /// Returns the budget that keeps another call from being made beside those in flight, if it is used up.
    pub(crate) fn budget_used_up(&self, in_flight: usize) -> Option<HaltReason> {
        let budget = self.limits.budget;
        let calls = u64::try_from(in_flight).unwrap_or(u64::MAX);
        let usage = self.usage + Usage { calls, ..Usage::default() };
        budget.is_used_up_by(&usage).then_some(HaltReason::Budget(budget))
    }

    /// Returns what is left of the time of a task and of the run, whichever is less. The time of the run that
    /// has gone by is given, since calls at once do not add up.
    pub(crate) fn time_left(
        &self,
        task: TaskIndex,
        spent: Duration,
        run: Duration,
    ) -> Option<TimeLeft> {
        let of_task = self
            .definition
            .task(task)
            .timeout
            .map(|limit| (limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)));
        let of_run = self
            .limits
            .time
            .map(|limit| (limit.saturating_sub(run), HaltReason::RunTimeout(limit)));
        [of_task, of_run].into_iter().flatten().min_by_key(|(left, _)| *left)
    }

    /// Returns what is left for a function. If one that takes too long is tried again, the time limit of the
    /// task is that of each attempt.
    pub(crate) fn time_for_function(
        &self,
        task: TaskIndex,
        attempts: &Attempts,
    ) -> Option<TimeLeft> {
        let is_of_each = self.definition.task(task).retry.timeouts;
        let spent = if is_of_each { Duration::ZERO } else { attempts.spent };
        self.time_left(task, spent, self.elapsed)
    }

    /// Returns what is left for a person: the run's own time does not pass meanwhile.
    pub(crate) fn time_for_people(&self, task: TaskIndex, spent: Duration) -> Option<TimeLeft> {
        let limit = self.definition.task(task).timeout?;
        Some((limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)))
    }
}

/// Returns why a call timed out, from the limit that its driver was given.
pub(crate) fn timeout_reason(limit: Option<TimeLeft>) -> HaltReason {
    match limit {
        Some((_, reason)) => reason,
        None => HaltReason::Unreachable(ModelError::new(
            ModelErrorKind::Timeout,
            "the driver waited no longer for the reply",
        )),
    }
}

/// Returns the reason of a time limit of which nothing is left.
pub(crate) fn out_without_reply(left: Option<TimeLeft>) -> Option<HaltReason> {
    left.filter(|(left, _)| left.is_zero()).map(|(_, reason)| reason)
}
