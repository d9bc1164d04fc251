//! Limits of a run, and what its declaration says.

use std::time::Duration;

use super::{
    CallId, View,
    core::Core,
    phase::{Calling, Phase},
    reply::Menu,
};
use crate::{
    HaltReason,
    blueprint::{AiDefinition, HistoryLimit, TaskIndex, TaskKind},
    model::{ModelError, ModelErrorKind},
};

impl Core {
    pub(super) fn view(&self, task: TaskIndex) -> View<'_> {
        View {
            goal: &self.goal,
            task: &self.definition.task(task).about,
            process: &self.definition.about,
            history: &self.history,
        }
    }

    pub(super) fn menu<'a>(&self, call: &'a Calling, has_output: bool) -> Menu<'a> {
        let transitions = self.ai(call.task).map_or(&[][..], |ai| ai.transitions);
        Menu { tasks: self.definition.tasks, transitions, visible: &call.visible, has_output }
    }

    pub(super) fn max_steps(&self) -> Option<u64> {
        self.options.max_steps.or(self.definition.max_steps)
    }

    pub(super) fn timeout(&self) -> Option<Duration> {
        self.options.timeout.or(self.definition.timeout)
    }

    /// What is left for a call, and what has passed when nothing is.
    pub(super) fn time_left(&self, call: &Calling) -> Option<(Duration, HaltReason)> {
        let task_limit = self.ai(call.task).and_then(|ai| ai.timeout);
        let of_task = task_limit
            .map(|limit| (limit.saturating_sub(call.spent), HaltReason::TaskTimeout(limit)));
        let of_run = self
            .timeout()
            .map(|limit| (limit.saturating_sub(self.elapsed), HaltReason::RunTimeout(limit)));
        [of_task, of_run].into_iter().flatten().min_by_key(|(left, _)| *left)
    }

    /// Which limit it is that a call runs into.
    pub(super) fn what_times_out(&self) -> HaltReason {
        let limit = match &self.phase {
            Phase::Calling(call) => self.time_left(call),
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

    /// Whether a task's entries are kept, and at most how many.
    pub(super) fn history_limit(&self, task: TaskIndex) -> Option<Option<usize>> {
        self.ai(task).filter(|ai| ai.history)?;
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

    pub(super) fn calling_mut(&mut self) -> Option<&mut Calling> {
        match &mut self.phase {
            Phase::Calling(call) => Some(call),
            _ => None,
        }
    }

    pub(super) fn ai(&self, task: TaskIndex) -> Option<&'static AiDefinition> {
        match &self.definition.task(task).kind {
            TaskKind::Ai(ai) => Some(ai),
            TaskKind::Gateway | TaskKind::End | TaskKind::Fail => None,
        }
    }

    pub(super) fn name(&self, task: TaskIndex) -> &'static str {
        self.definition.task(task).about.name
    }
}
