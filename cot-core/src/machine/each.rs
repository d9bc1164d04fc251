//! For-each tasks: one question for each item, several at once.

use std::{collections::BTreeMap, time::Duration};

use cot_model::Usage;
use cot_schema::internal::Given;
use serde_json::Value;

use super::{
    CallId, Directive,
    ask::Replied,
    calls::Named,
    core::{Asked, Core},
    due::Advanced,
    failing::{Tried, note},
    phase::{Ask, Each, Phase, Visit},
    typed::{Notice, Typed},
};
use crate::{
    Failure, HaltReason,
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
            asks: BTreeMap::new(),
            written: None,
            free: (0..lanes.len()).rev().collect(),
            lanes,
            longest: Duration::ZERO,
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
            each.asks.insert(id, (lane, ask));
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

    /// Adds the named calls to `due`. Requests that are not written yet are written, and synthetic answers
    /// are taken in.
    pub(super) fn due_each(
        &mut self,
        named: Named,
        host: &mut dyn Typed,
        due: &mut Vec<Directive>,
    ) -> Option<Advanced> {
        let Phase::Each(mut each) = self.taken() else {
            return None;
        };
        self.write_asks(&mut each, host)?;
        if let Some((id, mock)) = self.first_mock(&each) {
            self.phase = Phase::Each(each);
            self.take_mocked(id, mock, host);
            return None;
        }
        let calls = each.asks.range(named.range()).filter_map(|(_, (lane, ask))| {
            let request = ask.request.as_ref()?;
            Some(self.model_call(&each.visit, ask, request, each.time_in(*lane), &*host))
        });
        due.extend(calls);
        self.phase = Phase::Each(each);
        Some(Advanced::Waiting)
    }

    /// Writes the requests that are not written yet; `None` when one can't be, and the run is over.
    fn write_asks(&mut self, each: &mut Each, host: &mut dyn Typed) -> Option<()> {
        let Each { visit, asks, written, .. } = each;
        for (id, (_, ask)) in asks.range_mut(written.map_or(Named::All, Named::After).range()) {
            if let Err(why) = self.prepare(visit, ask, host) {
                let attempts = std::mem::take(&mut ask.tries.attempts);
                self.halt(visit.task, HaltReason::Template(why), attempts, host);
                return None;
            }
            *written = Some(*id);
        }
        Some(())
    }

    fn first_mock(&self, each: &Each) -> Option<(CallId, Value)> {
        if !self.is_mocked(each.visit.task) {
            return None;
        }
        each.asks.values().find_map(|(_, ask)| Some((ask.id, ask.mock.clone()?)))
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
        let (lane, mut ask) = each.asks.remove(&id)?;
        if let Some(time) = each.lanes.get_mut(lane) {
            *time = time.saturating_add(elapsed);
            each.longest = each.longest.max(*time);
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
        let outputs = Given::Value(Value::Array(done.into_values().collect()));
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
        let asks = each.asks.into_values();
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

#[cfg(test)]
mod tests {
    use cot_model::ModelReply;
    use std::collections::VecDeque;

    use super::*;
    use crate::{Event, MachinePoll, prelude::*};

    const ITEMS: u32 = 500;

    #[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
    struct Numbers {
        items: Vec<u32>,
        twice: Vec<Number>,
    }

    #[derive(
        Debug,
        Clone,
        PartialEq,
        serde::Serialize,
        serde::Deserialize,
        schemars::JsonSchema,
        CotOutput,
    )]
    struct Number {
        number: u32,
    }

    cot_process! {
        process Doubling {
            state: Numbers,

            task double -> Number {
                for_each: item in state.items,
                max_concurrency: 100,
                full_prompt: "${item}",
                update: { twice = output },
                next: done,
            }
            task done { end }
        }
    }

    fn reply_to(request: &str, is_first: bool) -> ModelReply {
        let number: u32 = request.split('\n').next().unwrap_or_default().parse().unwrap();
        let is_refused = is_first && number.is_multiple_of(10);
        ModelReply::new(if is_refused {
            "?".to_owned()
        } else {
            format!(r#"{{"number":{}}}"#, 2 * number)
        })
    }

    /// Otherwise each answer would cost as much as there are calls in flight.
    #[test]
    fn a_call_is_named_once_to_a_driver_that_knows_the_others() {
        let items: Vec<u32> = (0..ITEMS).collect();
        let twice: Vec<_> = items.iter().map(|item| Number { number: 2 * item }).collect();
        let mut machine = Doubling::machine();
        machine.start(Numbers { items, twice: Vec::new() }).unwrap();
        let (mut in_flight, mut named) = (VecDeque::new(), 0);
        let mut known = None;
        while let MachinePoll::Waiting(calls) = machine.poll_after(known) {
            named += calls.len();
            known = calls.last().map(|call| call.id).or(known);
            in_flight.extend(calls.to_vec());
            assert_eq!(machine.pending_calls(), in_flight.len());
            let call = in_flight.pop_front().unwrap();
            assert!(machine.is_pending(call.id));
            let prompt = call.as_model_call().unwrap().request.prompt();
            let (reply, elapsed) = (reply_to(prompt, call.key.attempt() == 1), Duration::ZERO);
            machine.handle(Event::Replied { id: call.id, reply, elapsed });
            assert!(!machine.is_pending(call.id));
        }
        assert_eq!(machine.into_state().unwrap().twice, twice);
        let refused = ITEMS.div_ceil(10);
        assert_eq!(named, (ITEMS + refused) as usize);
    }
}
