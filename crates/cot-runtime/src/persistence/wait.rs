//! The long waits of a run.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use cot_engine::{CallId, internal::AnyMachine};
use cot_store::Timer;

/// A long wait of a run: for a person or a timer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    /// The name of the task that waits.
    pub(super) task: &'static str,
    pub(super) since: SystemTime,
    pub(super) until: Option<SystemTime>,
    /// Whether the wait started in an earlier driver.
    pub(super) is_resumed: bool,
}

/// The long waits of a run: its open question, and the timers beside it.
#[derive(Debug, Default)]
pub(super) struct Waits {
    question: Option<(CallId, Wait)>,
    timers: BTreeMap<CallId, Wait>,
}

impl Waits {
    pub(super) const fn question(&self) -> Option<(CallId, Wait)> {
        self.question
    }

    pub(super) fn ask(&mut self, id: CallId, wait: Wait) {
        self.question = Some((id, wait));
    }

    pub(super) const fn timers(&self) -> &BTreeMap<CallId, Wait> {
        &self.timers
    }

    pub(super) fn add_timer(&mut self, id: CallId, wait: Wait) {
        self.timers.insert(id, wait);
    }

    pub(super) fn find(&self, id: CallId) -> Option<Wait> {
        let asked = self.question.filter(|(asked, _)| *asked == id).map(|(_, wait)| wait);
        asked.or_else(|| self.timers.get(&id).copied())
    }

    /// Removes the waits that are over. Returns whether the question was one of them.
    pub(super) fn retain_pending(&mut self, machine: &dyn AnyMachine) -> bool {
        self.timers.retain(|id, _| machine.is_pending(*id));
        self.question.take_if(|(id, _)| !machine.is_pending(*id)).is_some()
    }

    /// Returns the timer that ends first.
    pub(super) fn next_timer(&self) -> Option<Wait> {
        self.timers.values().min_by_key(|timer| timer.until).copied()
    }

    /// Returns the timers as a journal records them.
    pub(super) fn to_timers(&self) -> Vec<Timer> {
        let timers = self.timers.iter();
        timers.filter_map(|(call, wait)| Some(Timer { call: *call, until: wait.until? })).collect()
    }

    /// Returns whether the run waits, and every wait is longer than `time` from `now` on.
    pub(super) fn are_longer_than(&self, time: Duration, now: SystemTime) -> bool {
        let question = self.question.iter().map(|(_, wait)| wait);
        let mut waits = question.chain(self.timers.values()).peekable();
        let is_long = |wait: &Wait| {
            wait.until.is_none_or(|until| until.duration_since(now).is_ok_and(|left| left > time))
        };
        waits.peek().is_some() && waits.all(is_long)
    }
}
