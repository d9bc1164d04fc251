//! The tree of a run: its visits of tasks, and in each its attempts, calls, items, branches and sub-processes.

use std::{mem, time::SystemTime};

use cot_engine::{CallKey, Event, RunEvent, TaskName, internal::VisitKey};
use cot_model::ToolCall;

use super::{
    attempt::{Answer, AttemptHistory},
    step::{BranchHistory, FoundHistory, StepHistory, Transition},
    tool_call::ToolCallHistory,
};
use crate::record::{Entry, EventRecord, Record, StepRecord};

/// Builds the tree of a run from the entries of its journal.
///
/// An event names its place: the sub-processes around its task, and the task, of which one visit at most is under way
/// in a process. A call has the key of its visit.
#[derive(Debug, Clone, Default)]
pub(super) struct RunTree {
    steps: Vec<StepHistory>,
    /// The answers since the last step. The start of their task may be recorded only by the next step.
    answers: Vec<(u64, EventRecord)>,
}

/// The sub-process that a level of the tree belongs to: that of a visit, at an attempt, for an item.
#[derive(Clone, Copy)]
struct SubProcess<'a> {
    name: Option<&'a str>,
    item: Option<usize>,
    attempt: u32,
}

/// The process of the run itself.
const OUTERMOST: SubProcess<'static> = SubProcess { name: None, item: None, attempt: 1 };

impl RunTree {
    /// Applies an entry of the run's journal. The entries are applied in their order.
    pub(super) fn add_entry(&mut self, Entry { number, record, .. }: Entry) {
        match record {
            Record::Submitted(_) | Record::Begun(_) => {}
            Record::Event(answer) => self.answers.push((number, answer)),
            Record::Step(StepRecord { at, notes, .. }) => {
                for note in &notes {
                    apply_event(&mut self.steps, note, at, OUTERMOST);
                }
                self.assign_answers();
            }
        }
    }

    /// Returns whether a step up to a number has not finished.
    pub(super) fn has_open_before(&self, last: u64) -> bool {
        self.steps.iter().any(|step| step.step <= last && !step.is_finished())
    }

    /// Returns all steps, with the answers after the last step record.
    pub(super) fn into_steps(mut self) -> Vec<StepHistory> {
        self.assign_answers();
        self.steps
    }

    /// Adds the answers since the last step record to their visits.
    fn assign_answers(&mut self) {
        for (entry, mut answer) in mem::take(&mut self.answers) {
            let made = match &mut answer.event {
                Event::Replied { reply, .. } => mem::take(&mut reply.tool_calls),
                _ => Vec::new(),
            };
            let Some(mut attempt) = AttemptHistory::from_event(answer) else { continue };
            attempt.entry = Some(entry);
            if let Some(key) = attempt.key.clone() {
                visit_of(&mut self.steps, &key).add_answer(&key, attempt, made);
            }
        }
    }
}

fn apply_event(
    steps: &mut Vec<StepHistory>,
    event: &RunEvent,
    at: SystemTime,
    process: SubProcess<'_>,
) {
    match event {
        RunEvent::TaskStarted { task, step, visit } => {
            let (step, visit) = (*step, *visit);
            steps.push(StepHistory { step, visit, ..process.visit(task) });
        }
        // Gateways finish too, but are no visits.
        RunEvent::TaskFinished { task, next, route } => {
            let is_open = |step: &&mut StepHistory| !step.is_finished() && process.has(step, task);
            if let Some(step) = steps.iter_mut().rev().find(is_open) {
                let next = next.as_ref().map(TaskName::to_string);
                (step.finished, step.next, step.route) = (Some(at), next, Some(route.to_string()));
            }
        }
        RunEvent::Nested { task, item, attempt, process: name, event } => {
            let inner = SubProcess { name: Some(name), item: *item, attempt: *attempt };
            apply_event(&mut last_visit(steps, task, process).nested, event, at, inner);
        }
        event => {
            if let Some(task) = event.task() {
                last_visit(steps, task, process).apply(event);
            }
        }
    }
}

/// Returns the last visit of a task in a sub-process. Adds one if there is none, as for a task that started before a
/// fork.
fn last_visit<'a>(
    steps: &'a mut Vec<StepHistory>,
    task: &str,
    process: SubProcess<'_>,
) -> &'a mut StepHistory {
    let found = steps.iter().rposition(|step| process.has(step, task));
    let index = found.unwrap_or_else(|| start_visit(steps, process.visit(task)));
    &mut steps[index]
}

/// Returns the visit that makes a call. Adds those on the way that have not been told yet.
fn visit_of<'a>(mut steps: &'a mut Vec<StepHistory>, key: &CallKey) -> &'a mut StepHistory {
    let mut process = OUTERMOST;
    let mut path = key.visits().peekable();
    loop {
        let Some(VisitKey { task, number, item, attempt }) = path.next() else {
            return last_visit(steps, key.task(), process);
        };
        // Of a visit that events alone have told, the number is not known.
        let is_it =
            |step: &StepHistory| [0, *number].contains(&step.visit) && process.has(step, task);
        let found = steps.iter().rposition(is_it);
        let index = found.unwrap_or_else(|| start_visit(steps, process.visit(task)));
        steps[index].visit = *number;
        if path.peek().is_none() {
            return &mut steps[index];
        }
        process = SubProcess { name: None, item: *item, attempt: *attempt };
        steps = &mut steps[index].nested;
    }
}

/// Finds the visit that makes a call.
pub(super) fn find_visit<'a>(
    mut steps: &'a [StepHistory],
    key: &CallKey,
) -> Option<&'a StepHistory> {
    let (mut process, mut found) = (OUTERMOST, None);
    for VisitKey { task, number, item, attempt } in key.visits() {
        let is_it = |step: &&StepHistory| step.visit == *number && process.has(step, task);
        let visit = steps.iter().rfind(is_it)?;
        process = SubProcess { name: None, item: *item, attempt: *attempt };
        (steps, found) = (&visit.nested, Some(visit));
    }
    found
}

/// Adds a visit whose start was not told. Returns its index.
fn start_visit(steps: &mut Vec<StepHistory>, visit: StepHistory) -> usize {
    let step = steps.last().map_or(1, |last| last.step + 1);
    steps.push(StepHistory { step, ..visit });
    steps.len() - 1
}

impl SubProcess<'_> {
    fn visit(&self, task: &str) -> StepHistory {
        StepHistory {
            task: task.to_owned(),
            process: self.name.map(str::to_owned),
            item: self.item,
            attempt: self.attempt,
            ..StepHistory::default()
        }
    }

    fn has(&self, step: &StepHistory, task: &str) -> bool {
        step.task == task && (step.item, step.attempt) == (self.item, self.attempt)
    }
}

impl StepHistory {
    /// Applies an event within the visit.
    fn apply(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Repaired { item, attempt, repairs, .. } => {
                self.attempt_mut(*attempt, *item).repairs.clone_from(repairs);
            }
            RunEvent::Found { item, passages, .. } => {
                self.found.push(FoundHistory { item: *item, passages: passages.clone() });
            }
            RunEvent::AttemptFailed { attempt: failed, .. } => {
                let attempt = self.attempt_mut(failed.number, failed.item);
                (attempt.failure, attempt.issues) = (Some(failed.failure), failed.issues.clone());
                (attempt.usage, attempt.elapsed) = (failed.usage, failed.elapsed);
            }
            RunEvent::ToolCalled { call: number, tool, arguments, .. } => {
                let call = self.tool_mut(*number);
                (call.tool, call.arguments) = (tool.clone(), arguments.clone());
            }
            RunEvent::ToolReturned { call: number, tool, result, elapsed, .. } => {
                let call = self.tool_mut(*number);
                call.tool.clone_from(tool);
                call.set_result(result.clone(), *elapsed);
            }
            RunEvent::ItemDone { item, .. } => self.items_done.push(*item),
            RunEvent::ItemFailed { item, .. } => self.items_failed.push(*item),
            RunEvent::BranchEnded { branch, outcome, .. } => {
                let (branch, outcome) = (branch.to_string(), outcome.clone());
                self.branches.push(BranchHistory { branch, outcome });
            }
            RunEvent::Committed { output, .. } => {
                (self.is_committed, self.output) = (true, output.to_json());
            }
            RunEvent::Transitioned { go_to, intent, step_after, .. } => {
                let (go_to, intent) = (go_to.to_string(), intent.clone());
                let step_after = step_after.clone();
                self.transition = Some(Transition { go_to, intent, step_after });
            }
            _ => {}
        }
    }

    /// Returns an attempt by its number and item. Adds it if there is none.
    fn attempt_mut(&mut self, number: u32, item: Option<usize>) -> &mut AttemptHistory {
        let is_it = |attempt: &AttemptHistory| (attempt.number, attempt.item) == (number, item);
        let index = self.attempts.iter().position(is_it).unwrap_or_else(|| {
            self.attempts.push(AttemptHistory { number, item, ..AttemptHistory::default() });
            self.attempts.len() - 1
        });
        &mut self.attempts[index]
    }

    /// Returns a tool call by its number. Adds it if there is none.
    fn tool_mut(&mut self, number: u32) -> &mut ToolCallHistory {
        let index = self.tools.iter().position(|call| call.number == number).unwrap_or_else(|| {
            self.tools.push(ToolCallHistory { number, ..ToolCallHistory::default() });
            self.tools.len() - 1
        });
        &mut self.tools[index]
    }

    /// Adds the answer to a call of the visit, with the tool calls of a reply.
    fn add_answer(&mut self, key: &CallKey, mut call: AttemptHistory, made: Vec<ToolCall>) {
        if let Some(Answer::Replied { tool_calls, .. }) = &mut call.answer {
            // Those that the run has made are in `tools`.
            let is_made = |call: &ToolCall| self.tools.iter().any(|made| made.is_of(call));
            *tool_calls = made.into_iter().filter(|call| !is_made(call)).collect();
        }
        if let Some(number) = key.tool_call().or_else(|| key.approval()) {
            return self.tool_mut(number).add_answer(call);
        }
        let known = self.attempt_mut(call.number, call.item);
        if key.is_check() {
            known.check = call.answer;
            known.elapsed += call.elapsed;
            return;
        }
        let previous = mem::replace(known, call);
        if key.round() > 0 && previous.key.is_some() {
            // The replies before this one called tools.
            known.usage += previous.usage;
            known.elapsed += previous.elapsed;
        }
        (known.repairs, known.failure, known.issues) =
            (previous.repairs, previous.failure, previous.issues);
        // Several calls may end in the same millisecond.
        self.attempts.sort_by_key(|attempt| (attempt.at, attempt.number));
    }
}
