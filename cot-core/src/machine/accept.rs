//! Answers that are good, from their check to the next task.

use std::{panic::resume_unwind, sync::Arc, time::Duration};

use cot_model::Usage;
use cot_reader::internal::take_from_reply;
use cot_schema::Issues;
use serde_json::Value;

use super::{
    ask::Replied,
    core::Core,
    panics::caught,
    phase::{Arrival, Phase, Visit},
    reply::Transition,
    typed::{Notice, Typed},
};
use crate::{
    HistoryEntry, Inputs, Route,
    blueprint::{Chosen, TaskIndex},
    outcome::Ending,
};

/// Where a run goes from a task.
struct Way {
    target: TaskIndex,
    inputs: Option<Inputs>,
    route: Route,
}

impl Core {
    /// Does what the model chose.
    pub(super) fn transition(
        &mut self,
        visit: &Visit,
        transition: Transition,
        replied: Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        let task = visit.task;
        let Transition { index, go_to, intent, step_after, inputs } = transition;
        let inputs = self.inputs_of(visit, index, go_to, (inputs, replied.text), host)?;
        if let Some(max) = self.history_limit(task) {
            let (from, to) = (self.name(task), self.name(go_to));
            let entry = HistoryEntry::transition(from, to, &intent, &step_after);
            self.remember(entry.map_err(not_json)?, max, host);
        }
        let Replied { usage, elapsed, .. } = replied;
        host.notify(Notice::Transitioned { task, go_to, intent, step_after, usage, elapsed });
        host.notify(Notice::Left { task, next: Some(go_to), route: Route::Transition });
        if self.is_alone {
            self.finish(Ending::RanOut(task), host);
            return Ok(());
        }
        self.callers.call(task, visit.inputs.clone(), go_to);
        self.phase = Phase::At(Arrival::new(go_to, inputs));
        Ok(())
    }

    /// What a transition delivers: what the declaration computes, or what the model supplied.
    fn inputs_of(
        &self,
        visit: &Visit,
        index: usize,
        go_to: TaskIndex,
        (supplied, reply): (Option<Value>, &str),
        host: &dyn Typed,
    ) -> Result<Option<Inputs>, Issues> {
        let (Some(supplied), Some(schema)) = (supplied, host.inputs_schema(go_to)) else {
            return Ok(host.transition_inputs(visit.task, index, &self.view(visit, None)));
        };
        let read = take_from_reply(schema, supplied, reply)
            .and_then(|value| host.read_inputs(go_to, value));
        read.map_err(|issues| issues.under("inputs"))
    }

    /// Writes the pending output into the state, and leaves the task.
    pub(super) fn commit(
        &mut self,
        visit: &Visit,
        usage: Usage,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        let task = visit.task;
        host.before_commit(task, &self.goal)?;
        let limit = self.history_limit(task);
        let entry = match limit {
            Some(_) => Some(self.output_entry(task, host).map_err(not_json)?),
            None => None,
        };
        let chosen = host.commit(task, &self.view(visit, None))?;
        if let Some(max) = self.max_items() {
            host.take_entries().into_iter().for_each(|entry| self.remember(entry, max, host));
        }
        if let (Some(entry), Some(max)) = (entry, limit) {
            self.remember(entry, max, host);
        }
        host.after_commit(task, &self.goal);
        // Guards of `next` see the output, which the notice takes away.
        let way = caught(|| self.way(visit, chosen, host));
        let keeps = self.definition.uses_last_output;
        host.notify(Notice::Committed { task, usage, elapsed, keeps });
        if keeps {
            host.keep_output(task);
        }
        host.forget_output();
        // The commit stands, and was told, also where a guard after it panics.
        let way = way.unwrap_or_else(|payload| resume_unwind(payload));
        self.go(task, way, host);
        Ok(())
    }

    /// Leaves a task that has succeeded without an output, or only routes.
    pub(super) fn leave(&mut self, visit: &Visit, chosen: Option<Chosen>, host: &mut dyn Typed) {
        let way = self.way(visit, chosen, host);
        self.go(visit.task, way, host);
    }

    /// The first that says something: the choice, the arms, the sequence, the default, the caller.
    fn way(&self, visit: &Visit, chosen: Option<Chosen>, host: &dyn Typed) -> Option<Way> {
        let task = visit.task;
        let definition = self.definition.task(task);
        let view = self.view(visit, None);
        if let Some(Chosen { task: target, inputs }) = chosen {
            return Some(Way { target, inputs, route: Route::Choice });
        }
        let arm = (0..definition.next.len()).find(|arm| host.takes_arm(task, *arm, &view));
        if let Some(arm) = arm {
            let inputs = host.arm_inputs(task, arm, &view);
            return Some(Way { target: definition.next[arm], inputs, route: Route::Next(arm) });
        }
        let plain = |route| move |target| Way { target, inputs: None, route };
        let sequence = definition.in_sequence.map(plain(Route::Sequence));
        let default = self.definition.default_return.map(plain(Route::DefaultReturn));
        sequence.or(default).or_else(|| {
            let (target, inputs) = self.callers.calling_task()?;
            Some(Way { target, inputs: inputs.cloned(), route: Route::Return })
        })
    }

    fn go(&mut self, task: TaskIndex, way: Option<Way>, host: &mut dyn Typed) {
        let (next, route) = match &way {
            Some(way) => (Some(way.target), way.route),
            None => (None, Route::Return),
        };
        host.notify(Notice::Left { task, next, route });
        match way.filter(|_| !self.is_alone) {
            Some(Way { target, inputs, .. }) => {
                self.callers.unwind(target);
                self.phase = Phase::At(Arrival::new(target, inputs));
            }
            None => self.finish(Ending::RanOut(task), host),
        }
    }

    fn output_entry(
        &self,
        task: TaskIndex,
        host: &mut dyn Typed,
    ) -> serde_json::Result<HistoryEntry> {
        HistoryEntry::output(self.name(task), &host.output_json(task)?)
    }

    pub(super) fn remember(
        &mut self,
        entry: HistoryEntry,
        max: Option<usize>,
        host: &mut dyn Typed,
    ) {
        if let Some(mirror) = host.mirror() {
            mirror.push(entry.clone(), self.definition.state_max_items.or(max));
        }
        Arc::make_mut(&mut self.history).push(entry, max);
    }
}

fn not_json(error: serde_json::Error) -> Issues {
    Issues::at("$", format!("can't be kept as JSON: {error}"))
}
