//! For-each tasks: one question for each item, several at once.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;

use super::{
    CallId,
    ask::Replied,
    core::{Asked, Core},
    failing::{Tried, note},
    next::Next,
    phase::{Ask, Each, Phase, Visit},
    typed::{Notice, Typed},
};
use crate::{
    Failure, HaltReason, Usage,
    blueprint::{TaskIndex, TaskKind},
};

/// Calls at once when a task does not say how many.
const DEFAULT_MAX_CONCURRENCY: usize = 8;

impl Core {
    pub(super) fn begin_each(&mut self, visit: Visit, host: &mut dyn Typed) {
        let total = host.count(visit.task, &self.view(&visit, None));
        let lanes = vec![Duration::ZERO; self.lanes(visit.task, total)];
        let each = Each {
            visit,
            total,
            next: 0,
            done: BTreeMap::new(),
            usage: Usage::default(),
            asks: Vec::new(),
            free: (0..lanes.len()).rev().collect(),
            lanes,
            began: self.elapsed,
        };
        self.fill(each, host);
    }

    /// How many items of a for-each task are asked about at once.
    pub(super) fn lanes(&self, task: TaskIndex, total: usize) -> usize {
        let concurrency = match &self.definition.task(task).kind {
            // Synthetic answers come at once, one after the other.
            TaskKind::Each(..) if self.is_mocked(task) => Some(1),
            TaskKind::Each(_, each) => each.max_concurrency,
            _ => None,
        };
        concurrency.unwrap_or(DEFAULT_MAX_CONCURRENCY).clamp(1, total.max(1))
    }

    /// Begins questions while lanes are free; ends the task when every item is done.
    pub(super) fn fill(&mut self, mut each: Each, host: &mut dyn Typed) {
        if each.done.len() == each.total {
            return self.end_each(each, host);
        }
        while each.next < each.total
            && let Some(lane) = each.free.pop()
        {
            if let Some(reason) = self.budget_used_up_with(self.in_flight(&each)) {
                if each.asks.is_empty() || self.budget_used_up().is_some() {
                    return self.stop_each(each, reason, host);
                }
                // What is in flight uses it up: it is waited for.
                each.free.push(lane);
                break;
            }
            let id = self.new_call();
            let ask = Ask { id, ..self.question(&each.visit, Some(each.next), host) };
            each.asks.push((lane, ask));
            each.next += 1;
        }
        self.phase = Phase::Each(each);
    }

    /// How many calls of models are in flight beside the one that was answered.
    pub(super) fn others_in_flight(&self, asked: &Asked) -> usize {
        asked.others.as_ref().map_or(0, |(each, _)| self.in_flight(each))
    }

    fn in_flight(&self, each: &Each) -> usize {
        if self.is_mocked(each.visit.task) { 0 } else { each.asks.len() }
    }

    /// What is to be in flight; what is not yet written is written, and synthetic answers are taken in.
    pub(super) fn due_each(&mut self, host: &mut dyn Typed) -> Option<Next> {
        let Phase::Each(mut each) = self.taken() else {
            return None;
        };
        let mut asks = std::mem::take(&mut each.asks);
        for (_, ask) in asks.iter_mut().filter(|(_, ask)| ask.request.is_none()) {
            if let Err(why) = self.prepare(&each.visit, ask, host) {
                let attempts = std::mem::take(&mut ask.tries.attempts);
                self.halt(each.visit.task, HaltReason::Template(why), attempts, host);
                return None;
            }
        }
        each.asks = asks;
        let mocked = each.asks.iter().find_map(|(_, ask)| Some((ask.id, ask.mock.clone()?)));
        if let Some((id, mock)) = mocked {
            self.phase = Phase::Each(each);
            self.take_mocked(id, mock, host);
            return None;
        }
        let calls = each.asks.iter().filter_map(|(lane, ask)| {
            let request = ask.request.as_ref()?;
            Some(self.call(&each.visit, ask, request, each.time_in(*lane), &*host))
        });
        let calls = calls.collect();
        self.phase = Phase::Each(each);
        Some(Next::Calls(calls))
    }

    fn take_mocked(&mut self, id: CallId, answer: Value, host: &mut dyn Typed) {
        if let Some(asked) = self.take_asked_of_each(id, Duration::ZERO) {
            let reply = self.mocked_reply(asked.visit.task, answer);
            self.replied(asked, &reply, Duration::ZERO, host);
        }
    }

    /// Takes a question out of the task, to hand in its answer.
    pub(super) fn take_asked_of_each(&mut self, id: CallId, elapsed: Duration) -> Option<Asked> {
        let Phase::Each(mut each) = self.taken() else {
            return None;
        };
        let position = each.asks.iter().position(|(_, ask)| ask.id == id)?;
        let (lane, mut ask) = each.asks.swap_remove(position);
        if let Some(time) = each.lanes.get_mut(lane) {
            *time = time.saturating_add(elapsed);
        }
        self.elapsed = each.time();
        ask.tries.spent = ask.tries.spent.saturating_add(elapsed);
        ask.request = None;
        Some(Asked { visit: each.visit.clone(), ask, others: Some((each, lane)) })
    }

    pub(super) fn item_done(
        &mut self,
        asked: Asked,
        value: Value,
        replied: Replied<'_>,
        host: &mut dyn Typed,
    ) {
        let Asked { visit, ask, others: Some((mut each, lane)) } = asked else {
            return;
        };
        if let Some(item) = ask.item {
            let Replied { usage, elapsed, .. } = replied;
            host.notify(Notice::ItemDone { task: visit.task, item, usage, elapsed });
            each.done.insert(item, value);
            each.usage += usage;
        }
        if lane < self.lanes(visit.task, each.total) {
            each.free.push(lane);
        }
        self.fill(each, host);
    }

    /// Commits the outputs in the order of the items.
    fn end_each(&mut self, each: Each, host: &mut dyn Typed) {
        let Each { visit, done, usage, .. } = each;
        let outputs = Value::Array(done.into_values().collect());
        let elapsed = self.elapsed.saturating_sub(each.began);
        let read = host.read(visit.task, outputs, &self.view(&visit, None));
        if let Err(issues) = read.and_then(|()| self.commit(&visit, usage, elapsed, host)) {
            host.forget_output();
            let mut tries = super::phase::Tries::default();
            let failure = Failure::Rejected;
            let tried = Tried { failure, text: "", issues, usage: Usage::default(), elapsed };
            note(visit.task, &mut tries, (None, None), tried, false, host);
            self.fail(visit.task, HaltReason::Exhausted, tries.attempts, host);
        }
    }

    fn stop_each(&mut self, each: Each, reason: HaltReason, host: &mut dyn Typed) {
        let asks = each.asks.into_iter();
        let attempts = asks.flat_map(|(_, ask)| ask.tries.attempts).collect();
        let failed = crate::FailedItem {
            item: each.next,
            reason,
            done: each.done.into_keys().collect(),
            total: each.total,
        };
        self.fail(each.visit.task, HaltReason::ItemFailed(Box::new(failed)), attempts, host);
    }
}
