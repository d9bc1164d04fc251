//! Limits of a run, and what its declaration says.

use std::time::Duration;

use cot_model::{ModelError, ModelErrorKind, Usage};
use serde::{Deserialize, Serialize};

use super::{
    CallId, MachineOptions,
    core::Core,
    phase::{Each, Phase, Tries, Visit, Wanted},
    typed::View,
};
use crate::{
    Budget, HaltReason,
    blueprint::{AiDefinition, Definition, HistoryLimit, TaskIndex},
};

/// What a run, or a process within it, may still consume.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Limits {
    pub(super) steps: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) budget: Budget,
}

impl Limits {
    /// What a run may consume by its options, or else by its declaration.
    pub(super) fn declared(definition: &Definition, options: &MachineOptions) -> Self {
        Self {
            steps: options.max_steps.or(definition.max_steps),
            time: options.timeout.or(definition.timeout),
            budget: options.budget.unwrap_or(definition.budget),
        }
    }

    /// The tighter of two, limit by limit.
    fn and(self, other: Self) -> Self {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Self {
            steps: least(self.steps, other.steps),
            time: self.time.into_iter().chain(other.time).min(),
            budget: self.budget.and(&other.budget),
        }
    }
}

impl Core {
    /// Takes on what the process that runs this one has left.
    pub(super) fn inherit(&mut self, inherited: Limits) {
        self.inherited = inherited;
        self.limits = Limits::declared(self.definition, &self.options).and(inherited);
    }

    /// What is left for a process that a task runs.
    pub(super) fn left_for(&self, visit: &Visit, tries: &Tries) -> Limits {
        let limits = self.limits;
        let task = self.definition.task(visit.task).timeout;
        let task = task.map(|limit| limit.saturating_sub(tries.spent));
        let run = limits.time.map(|limit| limit.saturating_sub(self.elapsed));
        Limits {
            steps: limits.steps.map(|limit| limit.saturating_sub(self.steps)),
            time: task.into_iter().chain(run).min(),
            budget: limits.budget.after(&self.usage),
        }
    }

    /// The limit that keeps another task from starting, if one is reached.
    pub(super) fn limit_reached(&self) -> Option<HaltReason> {
        let limits = self.limits;
        if let Some(limit) = limits.steps.filter(|limit| self.steps >= *limit) {
            return Some(HaltReason::MaxSteps(limit));
        }
        let time = limits.time.filter(|limit| self.elapsed >= *limit);
        time.map(HaltReason::RunTimeout)
    }

    /// The budget that keeps another call from being made, if it is used up.
    pub(super) fn budget_used_up(&self) -> Option<HaltReason> {
        self.budget_used_up_with(0)
    }

    /// The budget that keeps another call from being made beside those that are in flight.
    pub(super) fn budget_used_up_with(&self, in_flight: usize) -> Option<HaltReason> {
        let budget = self.limits.budget;
        let calls = u64::try_from(in_flight).unwrap_or(u64::MAX);
        let usage = self.usage + Usage { calls, ..Usage::default() };
        budget.is_used_up_by(&usage).then_some(HaltReason::Budget(budget))
    }

    /// What is left for a task, and what has passed when nothing is. The time of a run that has gone
    /// by is given, since calls at once do not add up.
    pub(super) fn time_left(
        &self,
        task: TaskIndex,
        spent: Duration,
        run: Duration,
    ) -> Option<(Duration, HaltReason)> {
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

    /// Which limit it is that the call of this id runs into.
    pub(super) fn what_times_out(&self, id: CallId) -> HaltReason {
        let limit = match &self.phase {
            Phase::Calling { visit, ask } => {
                self.time_left(visit.task, ask.tries.spent, self.elapsed)
            }
            Phase::Running { visit, tries, .. } => self.time_for_function(visit.task, tries),
            Phase::Asking { visit, tries, waits_for: Some(Wanted::Check(_)), .. } => {
                self.time_left(visit.task, tries.spent, self.elapsed)
            }
            Phase::Asking { visit, tries, .. } => self.time_for_people(visit.task, tries.spent),
            Phase::Each(each) => each.ask(id).and_then(|(lane, ask)| {
                self.time_left(each.visit.task, ask.tries.spent, each.time_in(lane))
            }),
            _ => None,
        };
        match limit {
            Some((_, reason)) => reason,
            None => HaltReason::Unreachable(ModelError::new(
                ModelErrorKind::Timeout,
                "the driver waited no longer for the reply",
            )),
        }
    }

    /// How long a function may take. Where one that takes too long is tried again, the time limit of the task is
    /// that of each attempt.
    pub(super) fn time_for_function(
        &self,
        task: TaskIndex,
        tries: &Tries,
    ) -> Option<(Duration, HaltReason)> {
        let is_of_each = self.definition.task(task).retry.timeouts;
        let spent = if is_of_each { Duration::ZERO } else { tries.spent };
        self.time_left(task, spent, self.elapsed)
    }

    /// How long a person may take: the run's own time does not pass meanwhile.
    pub(super) fn time_for_people(
        &self,
        task: TaskIndex,
        spent: Duration,
    ) -> Option<(Duration, HaltReason)> {
        let limit = self.definition.task(task).timeout?;
        Some((limit.saturating_sub(spent), HaltReason::TaskTimeout(limit)))
    }

    pub(super) fn view<'a>(&'a self, visit: &'a Visit, item: Option<usize>) -> View<'a> {
        View {
            goal: &self.goal,
            task: &self.definition.task(visit.task).about,
            process: &self.definition.about,
            history: &self.history,
            inputs: visit.inputs.as_ref(),
            item,
            parts: None,
        }
    }

    /// Whether a task's entries are kept, and at most how many.
    pub(super) fn history_limit(&self, task: TaskIndex) -> Option<Option<usize>> {
        self.definition.task(task).history.then_some(())?;
        self.max_items()
    }

    /// Whether the process keeps a history, and at most how many entries.
    pub(super) fn max_items(&self) -> Option<Option<usize>> {
        match self.definition.history {
            HistoryLimit::None => None,
            HistoryLimit::Unlimited => Some(None),
            HistoryLimit::Last(max) => Some(Some(max)),
        }
    }

    pub(super) fn new_call(&mut self) -> CallId {
        self.last_call += 1;
        CallId(self.last_call)
    }

    pub(super) fn ai(&self, task: TaskIndex) -> Option<&'static AiDefinition> {
        self.definition.task(task).kind.ai()
    }

    /// Whether the reply to a task is a text that thinks aloud.
    pub(super) fn reasons(&self, task: TaskIndex) -> bool {
        self.definition.task(task).kind.reasons()
    }

    /// The engine ids that a task may ask, in their order; none stands for the driver's default.
    pub(super) fn engines(&self, task: TaskIndex) -> &'static [&'static str] {
        let own = self.ai(task).map_or(&[][..], |ai| ai.engines);
        if own.is_empty() { self.definition.engines } else { own }
    }

    pub(super) fn name(&self, task: TaskIndex) -> &'static str {
        self.definition.task(task).about.name
    }

    /// What the run has consumed, with what a process within it has.
    pub(super) fn total_usage(&self) -> Usage {
        self.usage + self.inner().map_or_else(Usage::default, Core::total_usage)
    }

    /// How many steps the run has made, with those of a process within it.
    pub(super) fn total_steps(&self) -> u64 {
        self.steps.saturating_add(self.inner().map_or(0, Core::total_steps))
    }

    /// How long the run has taken, with a process within it.
    pub(super) fn total_elapsed(&self) -> Duration {
        let inner = self.inner().map_or(Duration::ZERO, Self::total_elapsed);
        self.elapsed.saturating_add(inner)
    }

    /// The process that a task runs at the moment.
    pub(super) fn inner(&self) -> Option<&Core> {
        match &self.phase {
            Phase::Within { child, .. } => child.core.as_ref(),
            _ => None,
        }
    }
}

impl Each {
    /// The call of an id, and its lane.
    pub(super) fn ask(&self, id: CallId) -> Option<(usize, &super::phase::Ask)> {
        self.asks.get(&id).map(|(lane, ask)| (*lane, ask))
    }

    /// The time of the run that has gone by in a lane.
    pub(super) fn time_in(&self, lane: usize) -> Duration {
        self.began.saturating_add(self.lanes.get(lane).copied().unwrap_or_default())
    }

    /// The time of the run that has gone by: that of the slowest lane.
    pub(super) fn time(&self) -> Duration {
        self.began.saturating_add(self.longest)
    }
}
