//! The remaining limits of a run.

use std::time::Duration;

use cot_model::{ModelError, ModelErrorKind, Usage};

use crate::{
    process::{
        child::Totals,
        limits::{Limits, UnattendedLimit},
        tables::TaskIndex,
    },
    run::context::RunFacts,
    values::outcome::HaltReason,
};

/// The progress of the run as one call sees it: the time of its lane, and the calls in other lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lane {
    /// The elapsed time of the run.
    pub(crate) elapsed: Duration,
    /// The number of model calls in flight in other lanes.
    pub(crate) others: u64,
}

/// The remaining time of a limit, and the reason to halt once it has passed.
pub(crate) type TimeLeft = (Duration, HaltReason);

impl RunFacts {
    /// Returns the lane of a task whose calls are sequential.
    pub(crate) const fn only_lane(&self) -> Lane {
        Lane { elapsed: self.elapsed, others: 0 }
    }

    /// Applies the remaining limits of the process that runs this one.
    pub(crate) fn apply_inherited(&mut self, inherited: Limits) {
        self.inherited = inherited;
        self.limits = Limits::declared(self.definition, &self.options).and(inherited);
    }

    /// Applies what is left of the limit of steps of the process that runs this one.
    pub(crate) fn apply_unattended(&mut self, inherited: Option<UnattendedLimit>) {
        if inherited.is_some() || self.unattended.is_some() {
            self.unattended.get_or_insert_default().inherited = inherited;
        }
    }

    /// Counts the steps without an answer of a person from zero. `unsettled` is the number of steps that the current task
    /// has made and the run has not counted.
    pub(crate) fn note_attended(&mut self, unsettled: u64) {
        let steps = self.steps_with_branches().saturating_add(unsettled);
        if let Some(own) = self.unattended.as_mut().and_then(|limits| limits.own.as_mut()) {
            own.count_from(steps);
        }
    }

    /// Returns what is left of the limit of steps without an answer for a sub-process, of whose steps the run has
    /// counted some.
    pub(crate) fn child_unattended(&self, counted: &Totals) -> Option<UnattendedLimit> {
        let limit = self.unattended.as_ref()?.first()?;
        let left = limit.until.saturating_sub(self.steps_with_branches());
        Some(UnattendedLimit { until: left.saturating_add(counted.steps), ..limit })
    }

    /// Returns the remaining limits for the sub-process of a task. `spent` is the time of earlier attempts, and
    /// `counted` what the run has already counted of the consumption of the sub-process.
    pub(crate) fn child_limits(
        &self,
        task: TaskIndex,
        spent: Duration,
        lane: Lane,
        counted: &Totals,
    ) -> Limits {
        let limits = self.limits;
        let of_task = self.definition.task(task).timeout;
        let of_task = of_task.map(|limit| limit.saturating_sub(spent));
        let of_run = limits.time.map(|limit| limit.saturating_sub(lane.elapsed));
        let of_run = of_run.map(|left| left.saturating_add(counted.elapsed));
        let steps = limits.steps.map(|limit| limit.saturating_sub(self.steps_with_branches()));
        let budget = limits.budget.after(&self.usage_with(lane.others));
        Limits {
            steps: steps.map(|left| left.saturating_add(counted.steps)),
            time: of_task.into_iter().chain(of_run).min(),
            budget: budget.before(&counted.usage),
        }
    }

    /// Counts model calls that are dropped in flight. The server may bill them; their usage is unknown.
    pub(crate) fn drop_model_calls(&mut self, calls: u64) {
        self.usage += Usage { calls, uncounted_calls: calls, ..Usage::default() };
    }

    /// Returns the usage with a number of calls in flight.
    fn usage_with(&self, in_flight: u64) -> Usage {
        self.usage_with_branches() + Usage { calls: in_flight, ..Usage::default() }
    }

    /// Returns the limit of steps or time that is reached, if one is.
    pub(crate) fn reached_limit(&self) -> Option<HaltReason> {
        let limits = self.limits;
        if let Some(limit) = limits.steps.filter(|limit| self.steps_with_branches() >= *limit) {
            return Some(HaltReason::MaxSteps(limit));
        }
        let unattended = self.unattended.as_ref().and_then(|limits| limits.first());
        if let Some(reached) = unattended.filter(|limit| self.steps_with_branches() >= limit.until)
        {
            return Some(HaltReason::DefaultSteps(reached.limit));
        }
        let time = limits.time.filter(|limit| self.elapsed >= *limit);
        time.map(HaltReason::RunTimeout)
    }

    /// Returns the reason to halt if the budget, less the calls in flight, is used up.
    pub(crate) fn exhausted_budget(&self, in_flight: u64) -> Option<HaltReason> {
        let budget = self.limits.budget;
        if budget.is_unlimited() {
            return None;
        }
        budget.is_exhausted_by(&self.usage_with(in_flight)).then_some(HaltReason::Budget(budget))
    }

    /// Returns the usage of the run, with that of the other branches.
    fn usage_with_branches(&self) -> Usage {
        self.beside.as_ref().map_or(self.usage, |beside| self.usage + beside.usage)
    }

    /// Returns the number of steps of the run, with those of the other branches.
    pub(crate) fn steps_with_branches(&self) -> u64 {
        self.steps.saturating_add(self.beside.as_ref().map_or(0, |beside| beside.steps))
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
        if limit.is_none() && self.limits.time.is_none() {
            return None;
        }
        let of_task =
            limit.map(|limit| (limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)));
        let of_run = self
            .limits
            .time
            .map(|limit| (limit.saturating_sub(run), HaltReason::RunTimeout(limit)));
        [of_task, of_run].into_iter().flatten().min_by_key(|(left, _)| *left)
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
