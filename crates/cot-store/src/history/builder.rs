//! Builds the steps of a history from the entries of a journal.

use std::{mem, sync::Arc, time::SystemTime};

use super::{
    attempt::{Answer, AttemptHistory},
    output::find_output,
    round::{CutCall, complete_from_position},
    step::{BranchHistory, FoundHistory, StepHistory, Transition},
    tool_call::{ToolCallHistory, add_answer, complete_arguments, complete_from_output},
};
use crate::{
    error::StoreError,
    journal::journal::corrupt_entry,
    record::{Entry, EventRecord, Record, StepRecord, StepSnapshot},
    run_id::RunId,
};
use cot_engine::{CallKey, Event, RunEvent, TaskName};
use cot_model::ToolCall;

/// Builds the steps of a history, one entry of the journal after the other.
#[derive(Default)]
pub(super) struct HistoryBuilder {
    steps: Vec<StepHistory>,
    /// The events since the last step. The start of their task may be recorded only by the next step.
    events: Vec<(u64, EventRecord)>,
    snapshot: String,
    /// Whether the snapshots are not read, in which outputs are looked up.
    omits_snapshots: bool,
    /// Whether the prompts are replaced by empty ones.
    omits_prompts: bool,
}

impl HistoryBuilder {
    /// Creates a builder of a history whose prompts are empty.
    pub(super) fn without_prompts() -> Self {
        Self { omits_prompts: true, ..Self::default() }
    }

    /// Creates a builder that continues a journal after a snapshot; without one, outputs are not looked up.
    pub(super) fn after(snapshot: Option<String>) -> Self {
        let omits_snapshots = snapshot.is_none();
        Self { snapshot: snapshot.unwrap_or_default(), omits_snapshots, ..Self::default() }
    }

    /// Returns whether a step up to a number has not finished.
    pub(super) fn has_open_before(&self, last: u64) -> bool {
        self.steps.iter().any(|step| step.step <= last && !step.is_finished())
    }

    pub(super) fn add_entry(
        &mut self,
        run: &RunId,
        Entry { number, record }: Entry,
    ) -> Result<(), StoreError> {
        match record {
            Record::Begun(_) if self.omits_snapshots => {}
            Record::Begun(begun) => self.snapshot = begun.snapshot.get().to_owned(),
            Record::Submitted(_) => {}
            Record::Event(mut event) => {
                if self.omits_prompts
                    && let Some(prompt) =
                        event.asked.as_mut().and_then(|asked| asked.prompt.as_mut())
                {
                    *prompt = Arc::default();
                }
                self.events.push((number, event));
            }
            Record::Step(StepRecord { at, progress, notes, .. }) => {
                self.snapshot = match progress {
                    _ if self.omits_snapshots => String::new(),
                    StepSnapshot::Full(whole) => whole.get().to_owned(),
                    StepSnapshot::Changed(delta) => delta
                        .apply(&self.snapshot)
                        .map_err(|bad| corrupt_entry(run, number, bad))?,
                };
                let is_commit = notes.iter().any(|note| matches!(note, RunEvent::Committed { .. }));
                let cut: Vec<CutCall> = notes.iter().filter_map(CutCall::find).collect();
                for note in notes {
                    apply_event(&mut self.steps, note, at, (None, None));
                }
                self.assign_events(false);
                complete_from_position(&mut self.steps, &cut, &self.snapshot);
                if is_commit {
                    self.set_output();
                }
            }
        }
        Ok(())
    }

    /// Returns all steps, including the events after the last step record.
    pub(super) fn finish(mut self) -> Vec<StepHistory> {
        self.assign_events(true);
        self.steps
    }

    /// Adds the events since the last step record to their steps. With `is_unprocessed`, they have not been
    /// processed yet and so don't belong to a finished visit.
    fn assign_events(&mut self, is_unprocessed: bool) {
        for (number, mut event) in mem::take(&mut self.events) {
            let made = match &mut event.event {
                Event::Replied { reply, .. } => mem::take(&mut reply.tool_calls),
                _ => Vec::new(),
            };
            let Some(mut attempt) = AttemptHistory::from_event(event) else { continue };
            attempt.entry = Some(number);
            let Some(key) = &attempt.key else { continue };
            let tasks = key.tasks().map(str::to_owned);
            let path: Vec<_> = tasks.zip(key.items()).collect();
            add_call(&mut self.steps, (&path, None), (attempt, made), is_unprocessed);
        }
    }

    /// Sets the output of the last committed step from the snapshot, if the snapshot contains it.
    fn set_output(&mut self) {
        if let Some(step) = self.steps.iter_mut().rfind(|step| step.is_committed) {
            step.output = find_output(&self.snapshot, &step.task);
            complete_from_output(&mut step.tools, step.output.as_ref());
        }
    }
}

/// Applies a run event to the steps of a process. A sub-process has a name, and the number of its item.
fn apply_event(
    steps: &mut Vec<StepHistory>,
    event: RunEvent,
    at: SystemTime,
    (process, of_item): (Option<&str>, Option<usize>),
) {
    match event {
        RunEvent::TaskStarted { task, step } => {
            steps.push(StepHistory {
                step,
                process: process.map(str::to_owned),
                item: of_item,
                ..StepHistory::new(task.into_owned())
            });
        }
        RunEvent::Repaired { task, item, attempt: number, repairs } => {
            attempt_entry(last_visit(steps, &task, of_item), number, item).repairs = repairs;
        }
        RunEvent::Found { task, item, passages } => {
            last_visit(steps, &task, of_item).found.push(FoundHistory { item, passages });
        }
        RunEvent::AttemptFailed { task, attempt: failed, .. } => {
            let attempt =
                attempt_entry(last_visit(steps, &task, of_item), failed.number, failed.item);
            (attempt.failure, attempt.issues) = (Some(failed.failure), failed.issues);
            (attempt.usage, attempt.elapsed) = (failed.usage, failed.elapsed);
        }
        RunEvent::ToolCalled { task, call: number, tool, arguments } => {
            let call = tool_entry(last_visit(steps, &task, of_item), number);
            (call.tool, call.arguments) = (tool, arguments);
        }
        RunEvent::ToolReturned { task, call: number, tool, result, elapsed } => {
            let call = tool_entry(last_visit(steps, &task, of_item), number);
            call.tool = tool;
            call.set_result(result, elapsed);
        }
        RunEvent::ItemDone { task, item, .. } => {
            last_visit(steps, &task, of_item).items_done.push(item);
        }
        RunEvent::ItemFailed { task, item, .. } => {
            last_visit(steps, &task, of_item).items_failed.push(item);
        }
        RunEvent::BranchEnded { task, branch, outcome } => {
            let branch = BranchHistory { branch: branch.into_owned(), outcome };
            last_visit(steps, &task, of_item).branches.push(branch);
        }
        RunEvent::Committed { task, .. } => last_visit(steps, &task, of_item).is_committed = true,
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            last_visit(steps, &task, of_item).transition =
                Some(Transition { go_to: go_to.into_owned(), intent, step_after });
        }
        RunEvent::TaskFinished { task, next, route } => {
            // Gateways finish too, but are no steps.
            let is_open = |step: &&mut StepHistory| {
                step.task == task && step.item == of_item && !step.is_finished()
            };
            if let Some(step) = steps.iter_mut().rev().find(is_open) {
                let next = next.map(TaskName::into_owned);
                (step.finished, step.next, step.route) = (Some(at), next, Some(route.to_string()));
            }
        }
        RunEvent::Nested { task, item, process, event } => {
            let nested = &mut last_visit(steps, &task, of_item).nested;
            apply_event(nested, *event, at, (Some(&process), item));
        }
        // Other events are not journaled.
        _ => {}
    }
}

/// Returns the last visit of a task, in the sub-process of an item if it belongs to one. Adds one if there is
/// none, as for a task that started before a fork.
fn last_visit<'a>(
    steps: &'a mut Vec<StepHistory>,
    task: &str,
    of_item: Option<usize>,
) -> &'a mut StepHistory {
    let found = steps.iter().rposition(|step| step.task == task && step.item == of_item);
    let index = found.unwrap_or_else(|| {
        start_step(steps, task, of_item);
        steps.len() - 1
    });
    &mut steps[index]
}

fn start_step(steps: &mut Vec<StepHistory>, task: &str, item: Option<usize>) {
    let step = steps.last().map_or(1, |last| last.step + 1);
    steps.push(StepHistory { step, item, ..StepHistory::new(task.to_owned()) });
}

/// Returns an attempt of a visit by its number and item. Adds it if there is none.
fn attempt_entry(step: &mut StepHistory, number: u32, item: Option<usize>) -> &mut AttemptHistory {
    let is_it = |attempt: &AttemptHistory| (attempt.number, attempt.item) == (number, item);
    let index = step.attempts.iter().position(is_it).unwrap_or_else(|| {
        step.attempts.push(AttemptHistory { number, item, ..AttemptHistory::default() });
        step.attempts.len() - 1
    });
    &mut step.attempts[index]
}

/// Returns a tool call of a visit by its number. Adds it if there is none.
fn tool_entry(step: &mut StepHistory, number: u32) -> &mut ToolCallHistory {
    let index = step.tools.iter().position(|call| call.number == number).unwrap_or_else(|| {
        step.tools.push(ToolCallHistory { number, ..ToolCallHistory::default() });
        step.tools.len() - 1
    });
    &mut step.tools[index]
}

/// Adds a call to the last visit of its task, with the tool calls of its reply. The call of a sub-process goes
/// into the last visit of the task that runs the sub-process. The path has the item of each task; `of_item` is that
/// of the sub-process.
fn add_call(
    steps: &mut Vec<StepHistory>,
    (path, of_item): (&[(String, Option<usize>)], Option<usize>),
    (mut call, made): (AttemptHistory, Vec<ToolCall>),
    is_unprocessed: bool,
) {
    let Some(((task, item), inner)) = path.split_first() else { return };
    let last = steps.iter().rfind(|step| step.task == *task && step.item == of_item);
    if is_unprocessed && last.is_some_and(StepHistory::is_finished) {
        start_step(steps, task, of_item);
    }
    let step = last_visit(steps, task, of_item);
    if !inner.is_empty() {
        return add_call(&mut step.nested, (inner, *item), (call, made), is_unprocessed);
    }
    complete_arguments(&mut step.tools, &made);
    if let Some(Answer::Replied { tool_calls, .. }) = &mut call.answer {
        // Those that the run has made are in `tools`.
        let is_made = |call: &ToolCall| step.tools.iter().any(|made| made.is_of(call));
        *tool_calls = made.into_iter().filter(|call| !is_made(call)).collect();
    }
    let key = call.key.as_ref();
    if let Some(number) = key.and_then(|key| key.tool_call().or_else(|| key.approval())) {
        return add_answer(tool_entry(step, number), call);
    }
    let known = attempt_entry(step, call.number, call.item);
    if call.key.as_ref().is_some_and(CallKey::is_check) {
        known.check = call.answer;
        known.elapsed += call.elapsed;
        return;
    }
    let is_round = call.key.as_ref().is_some_and(|key| key.round() > 0);
    let previous = mem::replace(known, call);
    if is_round && previous.key.is_some() {
        // The replies before this one called tools.
        known.usage += previous.usage;
        known.elapsed += previous.elapsed;
    }
    (known.repairs, known.failure, known.issues) =
        (previous.repairs, previous.failure, previous.issues);
    // Several calls may end in the same millisecond.
    step.attempts.sort_by_key(|attempt| (attempt.at, attempt.number));
}
