//! Puts together what the entries of a journal tell.

use std::time::SystemTime;

use cot_engine::{CallKey, RunEvent, TaskName};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    attempt::AttemptHistory,
    step::{StepHistory, Transition},
};
use crate::{
    error::StoreError,
    journal::journal::corrupt,
    record::{Entry, EventRecord, Progress, Record, StepRecord},
    run_id::RunId,
};

/// Takes a journal, entry by entry.
#[derive(Default)]
pub(super) struct Teller {
    steps: Vec<StepHistory>,
    /// The events since the last step: their tasks may be told to have begun only with the next.
    events: Vec<EventRecord>,
    snapshot: String,
}

impl Teller {
    pub(super) fn take(
        &mut self,
        run: &RunId,
        Entry { number, record }: Entry,
    ) -> Result<(), StoreError> {
        match record {
            Record::Begun(begun) => self.snapshot = begun.snapshot.get().to_owned(),
            Record::Event(event) => self.events.push(event),
            Record::Step(StepRecord { at, progress, notes, .. }) => {
                self.snapshot = match progress {
                    Progress::Whole(whole) => whole.get().to_owned(),
                    Progress::Changed(delta) => {
                        delta.apply(&self.snapshot).map_err(|bad| corrupt(run, number, bad))?
                    }
                };
                let is_commit = notes.iter().any(|note| matches!(note, RunEvent::Committed { .. }));
                for note in notes {
                    take_note(&mut self.steps, note, at, None);
                }
                self.place_events(false);
                if is_commit {
                    self.take_output();
                }
            }
        }
        Ok(())
    }

    /// All steps, with what has happened since the last.
    pub(super) fn finish(mut self) -> Vec<StepHistory> {
        self.place_events(true);
        self.steps
    }

    /// Places what came since the last step. It is `new` if nothing has come of it yet: then it is not of a
    /// visit that is over.
    fn place_events(&mut self, is_new: bool) {
        for event in std::mem::take(&mut self.events) {
            let Some(attempt) = AttemptHistory::of(event) else { continue };
            let Some(key) = &attempt.key else { continue };
            let path: Vec<String> = key.tasks().map(str::to_owned).collect();
            place(&mut self.steps, &path, attempt, is_new);
        }
    }

    /// Takes the output that was committed last from the snapshot, where the run keeps it.
    fn take_output(&mut self) {
        #[derive(Deserialize)]
        struct Snapshot<'a> {
            #[serde(borrow, default)]
            history: Vec<&'a RawValue>,
            #[serde(borrow, default)]
            last_output: Option<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Kept {
            task: String,
            output: Value,
        }
        let committed = self.steps.iter_mut().rfind(|step| step.is_committed);
        // What is no snapshot of ours tells of no output.
        let (Some(step), Ok(snapshot)) = (committed, serde_json::from_str(&self.snapshot)) else {
            return;
        };
        let Snapshot { history, last_output } = snapshot;
        let kept = last_output.into_iter().chain(history.last().copied());
        let mut kept = kept.filter_map(|kept| serde_json::from_str::<Kept>(kept.get()).ok());
        step.output = kept.find(|kept| kept.task == step.task).map(|kept| kept.output);
    }
}

/// Adds to the steps of a process what was noted of one.
fn take_note(steps: &mut Vec<StepHistory>, note: RunEvent, at: SystemTime, process: Option<&str>) {
    match note {
        RunEvent::TaskStarted { task, step } => {
            steps.push(StepHistory {
                step,
                process: process.map(str::to_owned),
                ..StepHistory::of(task.into_owned())
            });
        }
        RunEvent::Repaired { task, item, attempt: number, repairs } => {
            attempt(visit(steps, &task), number, item).repairs = repairs;
        }
        RunEvent::AttemptFailed { task, attempt: failed, .. } => {
            let attempt = attempt(visit(steps, &task), failed.number, failed.item);
            attempt.failure = Some(failed.failure);
            attempt.issues = failed.issues;
            (attempt.usage, attempt.elapsed) = (failed.usage, failed.elapsed);
        }
        RunEvent::ItemDone { task, item, .. } => visit(steps, &task).items_done.push(item),
        RunEvent::Committed { task, .. } => visit(steps, &task).is_committed = true,
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            visit(steps, &task).transition =
                Some(Transition { go_to: go_to.into_owned(), intent, step_after });
        }
        RunEvent::TaskFinished { task, next, route } => {
            // Gateways are left too, which are no steps.
            let is_open = |step: &&mut StepHistory| step.task == task && !step.is_finished();
            if let Some(step) = steps.iter_mut().rev().find(is_open) {
                let next = next.map(TaskName::into_owned);
                (step.finished, step.next, step.route) = (Some(at), next, Some(route.to_string()));
            }
        }
        RunEvent::Nested { task, process, event } => {
            take_note(&mut visit(steps, &task).nested, *event, at, Some(&process));
        }
        // Journals have no others.
        _ => {}
    }
}

/// The last visit of a task. One whose beginning was not told, as it was before a fork, begins.
fn visit<'a>(steps: &'a mut Vec<StepHistory>, task: &str) -> &'a mut StepHistory {
    let found = steps.iter().rposition(|step| step.task == task);
    let index = found.unwrap_or_else(|| {
        begin(steps, task);
        steps.len() - 1
    });
    &mut steps[index]
}

fn begin(steps: &mut Vec<StepHistory>, task: &str) {
    let step = steps.last().map_or(1, |last| last.step + 1);
    steps.push(StepHistory { step, ..StepHistory::of(task.to_owned()) });
}

/// An attempt of a visit, by its number and item.
fn attempt(step: &mut StepHistory, number: u32, item: Option<usize>) -> &mut AttemptHistory {
    let is_it = |attempt: &AttemptHistory| (attempt.number, attempt.item) == (number, item);
    let index = step.attempts.iter().position(is_it).unwrap_or_else(|| {
        step.attempts.push(AttemptHistory { number, item, ..AttemptHistory::default() });
        step.attempts.len() - 1
    });
    &mut step.attempts[index]
}

/// Puts a call where it belongs: with the last visit of its task, in the last visit of the task that runs its
/// process.
fn place(steps: &mut Vec<StepHistory>, path: &[String], call: AttemptHistory, is_new: bool) {
    let Some((task, inner)) = path.split_first() else { return };
    let last = steps.iter().rfind(|step| step.task == *task);
    if is_new && last.is_some_and(StepHistory::is_finished) {
        begin(steps, task);
    }
    let step = visit(steps, task);
    if !inner.is_empty() {
        return place(&mut step.nested, inner, call, is_new);
    }
    let known = attempt(step, call.number, call.item);
    if call.key.as_ref().is_some_and(CallKey::is_check) {
        known.check = call.answer;
        known.elapsed += call.elapsed;
        return;
    }
    let noted = std::mem::replace(known, call);
    (known.repairs, known.failure, known.issues) = (noted.repairs, noted.failure, noted.issues);
    // Several may come in the same millisecond.
    step.attempts.sort_by_key(|attempt| (attempt.at, attempt.number));
}
