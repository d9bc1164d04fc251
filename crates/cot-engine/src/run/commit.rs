//! Commits accepted outputs and transitions, and finds the next task.

use std::{panic::resume_unwind, sync::Arc, time::Duration};

use cot_model::{ModelReply, Usage};
use cot_reader::internal::coerce_output_from_reply;
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    process::{
        host::ProcessHost,
        tables::{ChosenTask, TaskDefinition, TaskKind},
    },
    protocol::run_event::{
        event::{PendingOutput, RunEvent},
        route::Route,
    },
    reply::menu::Transition,
    run::{
        attempts::ReplyCost,
        context::{RunContext, RunFacts, Visit},
        end::{RouteTarget, TaskEnd},
    },
    values::{catch::catch_panic, history::HistoryEntry, inputs::Inputs},
};

/// The maximum number of history entries in which equal choices are counted.
const MAX_LOOK_BACK: usize = 200;

impl RunContext<'_> {
    /// Reads a value into the type of the task's output and stores it as the pending output.
    pub(crate) fn read(&mut self, value: UntypedOutput<'_>) -> Result<(), Issues> {
        self.host.read_output(self.visit.task, value, &self.facts.scope(self.visit, None))
    }

    /// Reads a reply with the function of the task, and stores the pending output.
    pub(crate) fn read_reply(&mut self, reply: &ModelReply) -> Result<(), Issues> {
        self.host.read_reply(self.visit.task, reply, &self.facts.scope(self.visit, None))
    }

    /// Checks the pending output of a reply that the function of the task read.
    pub(crate) fn check_read(&mut self) -> Result<(), Issues> {
        self.host.check_read(self.visit.task, &self.facts.scope(self.visit, None))
    }

    /// Returns the pending output as JSON.
    pub(crate) fn output_value(&self) -> Result<Value, Issues> {
        let json = self.host.output_json(self.visit.task);
        json.and_then(|json| serde_json::from_str(json.get())).map_err(not_json)
    }

    /// Commits the pending output to the state and finds the next task.
    pub(crate) fn commit(&mut self, usage: Usage, elapsed: Duration) -> Result<TaskEnd, Issues> {
        self.commit_with(None, usage, elapsed)
    }

    /// Commits the pending output, after the history entry of the tools that were called for it.
    pub(crate) fn commit_with(
        &mut self,
        tools: Option<HistoryEntry>,
        usage: Usage,
        elapsed: Duration,
    ) -> Result<TaskEnd, Issues> {
        let Self { facts, visit, host } = self;
        let task = visit.task;
        host.before_commit(task, &facts.scope(visit, None))?;
        let limit = facts.history_limit(task);
        // Also without a history: an output that can't be written as JSON is not committed.
        let json = host.output_json(task).map_err(not_json)?;
        let entry = limit.map(|_| HistoryEntry::from_output(facts.name(task), &json));
        let entry = entry.transpose().map_err(not_json)?;
        let chosen = host.commit(task, &facts.scope(visit, None))?;
        if let Some(max) = facts.max_items() {
            let entries = host.take_entries();
            entries.into_iter().for_each(|entry| facts.push_history(entry, max, *host));
        }
        if let (Some(entry), Some(max)) = (entry, limit) {
            if let Some(tools) = tools {
                facts.push_history(tools, max, *host);
            }
            facts.push_history(entry, max, *host);
        }
        host.after_commit(task, &facts.scope(visit, None));
        // Evaluated before the event takes the output, which guards of `next` receive.
        let target = catch_panic(|| facts.route_from(visit, chosen, *host));
        host.emit_passages(task, None);
        let keeps = facts.definition.uses_last_output;
        host.emit(|| {
            let output = PendingOutput { is_kept: keeps, json };
            RunEvent::Committed { task, output, usage, elapsed }
        });
        if keeps {
            host.promote_output(task);
        }
        host.discard_output();
        // The commit was emitted and stays, even if a guard panicked after it.
        Ok(TaskEnd::Done(target.unwrap_or_else(|payload| resume_unwind(payload))))
    }

    /// Follows the transition that the model chose, with its inputs.
    pub(crate) fn transition(
        &mut self,
        transition: Transition,
        reply: ReplyCost<'_>,
        tools: Option<HistoryEntry>,
    ) -> Result<TaskEnd, Issues> {
        let task = self.visit.task;
        let supplied = (transition.inputs, reply.text);
        let Transition { index, go_to, intent, step_after, .. } = transition;
        let inputs = self.transition_inputs(index, go_to, supplied)?;
        let mut times = 1;
        if let Some(max) = self.facts.history_limit(task) {
            let (from, to) = (self.facts.name(task), self.facts.name(go_to));
            let entry = HistoryEntry::from_transition(from, to, &intent, &step_after);
            let entry = entry.map_err(not_json)?;
            times = self.facts.count_choice(&entry);
            self.facts.definition.max_repeats.map_or(Ok(()), |max| check_times(to, times, max))?;
            if let Some(tools) = tools {
                self.facts.push_history(tools, max, self.host);
            }
            self.facts.push_history(entry, max, self.host);
        }
        let ReplyCost { usage, elapsed, .. } = reply;
        self.host.emit(|| RunEvent::Transitioned {
            task,
            go_to,
            intent,
            step_after,
            times,
            usage,
            elapsed,
        });
        let route = Route::Transition;
        Ok(TaskEnd::Transition(RouteTarget { target: go_to, inputs, route }))
    }

    /// Follows the only transition that is open, without a call.
    pub(crate) fn only_transition(&mut self, index: usize, go_to: usize) -> TaskEnd {
        let task = self.visit.task;
        let inputs = self.host.transition_inputs(task, index, &self.facts.scope(self.visit, None));
        if let Some(max) = self.facts.history_limit(task) {
            let (from, to) = (self.facts.name(task), self.facts.name(go_to));
            // Names of tasks always serialize.
            if let Ok(entry) = HistoryEntry::from_only_transition(from, to) {
                self.facts.push_history(entry, max, self.host);
            }
        }
        TaskEnd::Transition(RouteTarget { target: go_to, inputs, route: Route::OnlyTransition })
    }

    /// Returns the inputs of a transition: those of the model, or else those that the declaration computes.
    fn transition_inputs(
        &self,
        index: usize,
        go_to: usize,
        (supplied, reply): (Option<Value>, &str),
    ) -> Result<Option<Inputs>, Issues> {
        let (Some(supplied), Some(schema)) = (supplied, self.host.inputs_schema(go_to)) else {
            let scope = self.facts.scope(self.visit, None);
            return Ok(self.host.transition_inputs(self.visit.task, index, &scope));
        };
        let read = coerce_output_from_reply(schema, supplied, reply)
            .and_then(|value| self.host.read_inputs(go_to, value));
        read.map_err(|issues| issues.prefixed_with("inputs"))
    }
}

impl RunFacts {
    /// Returns the next task after a success. The first of these decides: the choice of `process_output`, the
    /// arms of `next`, the sequence, `default_return`, the caller.
    pub(crate) fn route_from(
        &self,
        visit: &Visit,
        chosen: Option<ChosenTask>,
        host: &dyn ProcessHost,
    ) -> Option<RouteTarget> {
        let task = visit.task;
        let definition = self.definition.task(task);
        let scope = self.scope(visit, None);
        if let Some(ChosenTask { task: target, inputs }) = chosen {
            return Some(RouteTarget { target, inputs, route: Route::Choice });
        }
        let arm = (0..definition.next.len()).find(|arm| host.is_arm_taken(task, *arm, &scope));
        if let Some(arm) = arm {
            let inputs = host.arm_inputs(task, arm, &scope);
            return Some(RouteTarget {
                target: definition.next[arm],
                inputs,
                route: Route::Next(arm),
            });
        }
        let plain = |route| move |target| RouteTarget { target, inputs: None, route };
        let sequence = definition.in_sequence.map(plain(Route::Sequence));
        let default = self.definition.default_return.map(plain(Route::DefaultReturn));
        sequence.or(default).or_else(|| {
            let (target, inputs) = self.callers.calling_task()?;
            Some(RouteTarget { target, inputs: inputs.cloned(), route: Route::Return })
        })
    }

    /// Returns how many times in a row the task of a choice made it, with this one, since a person answered.
    fn count_choice(&self, entry: &HistoryEntry) -> u32 {
        let is_person = |task: &&TaskDefinition| matches!(task.kind, TaskKind::Human);
        let people: Vec<_> = self.definition.tasks.iter().filter(is_person).collect();
        let is_answer = |it: &HistoryEntry| people.iter().any(|task| task.about.name == it.task());
        let newest = self.seen_history().iter().rev().take(MAX_LOOK_BACK);
        let since = newest.take_while(|it| !is_answer(it));
        let (task, choice) = (entry.task(), entry.choice());
        let own = since.filter(|it| it.choice().is_some() && it.task() == task);
        own.take_while(|it| it.choice() == choice).fold(1, |times, _| times + 1)
    }

    /// Adds an entry to the history, to that of the current branch, and to the state's mirror of it.
    pub(crate) fn push_history(
        &mut self,
        entry: HistoryEntry,
        max: Option<usize>,
        host: &mut dyn ProcessHost,
    ) {
        if let Some(mirror) = host.history_mirror() {
            mirror.push_newest(entry.clone(), self.definition.state_max_items.or(max));
        }
        if let Some(branch) = &mut self.branch_history {
            branch.push(entry.clone(), max);
        }
        Arc::make_mut(&mut self.history).push(entry, max);
    }
}

/// Refuses a choice that was made too many times in a row.
fn check_times(target: &str, times: u32, max: u32) -> Result<(), Issues> {
    if times <= max {
        return Ok(());
    }
    let so_far = if max == 1 { "once".to_owned() } else { format!("{max} times in a row") };
    let message = format!(
        "you chose {target:?} {so_far} with this intent: choose another target, or say what is new this time"
    );
    Err(Issues::at("intent", message))
}

fn not_json(error: serde_json::Error) -> Issues {
    Issues::at("$", format!("can't be kept as JSON: {error}"))
}
