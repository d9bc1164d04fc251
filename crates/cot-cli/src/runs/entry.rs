//! An entry of a journal on a line.

use cot_core::{
    Attempt, Event, RunEvent,
    store::{Begun, Entry, EventRecord, Record, StepRecord},
};

use super::words::{brief, failure, time};

/// The number, the time, and what the entry says.
pub(super) fn line(entry: &Entry) -> String {
    let at = time(entry.record.at());
    let (kind, said) = match &entry.record {
        Record::Begun(begun) => ("begun", begun_said(begun)),
        Record::Event(event) => event_said(event),
        Record::Step(step) => ("step", step_said(step)),
    };
    format!("{:>5}  {at}  {kind:<9}  {said}", entry.number).trim_end().to_owned()
}

fn begun_said(Begun { process, origin, status, .. }: &Begun) -> String {
    let origin = origin.as_ref().map(|origin| format!(", a fork of {origin}")).unwrap_or_default();
    format!("{process}{origin}, {} at {}", status.word(), status.task())
}

fn event_said(EventRecord { asked, event, .. }: &EventRecord) -> (&'static str, String) {
    let (kind, said) = match event {
        Event::Replied { reply, .. } => ("replied", brief(&reply.text)),
        Event::Failed { error, .. } => ("failed", brief(&error.to_string())),
        Event::Ran { result: Ok(value), .. } => ("ran", brief(&value.to_string())),
        Event::Ran { result: Err(error), .. } => ("ran", brief(&format!("failed: {error}"))),
        Event::Answered { answer, .. } => ("answered", brief(&answer.to_string())),
        Event::TimedOut { .. } => ("timed_out", String::new()),
        Event::Woken { .. } => ("woken", String::new()),
        Event::Cancelled { reason } => ("cancelled", brief(reason)),
    };
    let key = asked.as_ref().map(|asked| {
        let engine = asked.engine.as_ref().map(|engine| format!(" by {}", brief(engine)));
        format!("{}{}: ", asked.key, engine.unwrap_or_default())
    });
    (kind, key.unwrap_or_default() + &said)
}

fn step_said(StepRecord { notes, status, .. }: &StepRecord) -> String {
    let standing = format!("{} at {}", status.word(), status.task());
    let notes = notes.iter().filter_map(note_said);
    notes.chain([standing]).collect::<Vec<_>>().join("; ")
}

fn note_said(note: &RunEvent) -> Option<String> {
    let called = |task: &str, item: Option<usize>, attempt: u32| {
        let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
        format!("{task}{item}@{attempt}")
    };
    Some(match note {
        RunEvent::TaskStarted { task, step } => format!("{step} {task}"),
        RunEvent::Repaired { task, item, attempt, .. } => {
            format!("{} mended", called(task, *item, *attempt))
        }
        RunEvent::AttemptFailed { task, attempt, .. } => {
            let Attempt { number, item, failure: how, issues, .. } = attempt;
            let issues = brief(&issues.to_string());
            format!("{} {}: {issues}", called(task, *item, *number), failure(*how))
        }
        RunEvent::ItemDone { task, item, .. } => format!("{task}[{item}] done"),
        RunEvent::Committed { task, .. } => format!("{task} committed"),
        RunEvent::Transitioned { task, go_to, .. } => format!("{task} chose {go_to}"),
        RunEvent::TaskFinished { task, next: Some(next), route } => {
            format!("{task} -> {next} ({route})")
        }
        RunEvent::TaskFinished { task, next: None, route } => format!("{task} ({route})"),
        RunEvent::Nested { process, event, .. } => format!("{process}::{}", note_said(event)?),
        _ => return None,
    })
}
