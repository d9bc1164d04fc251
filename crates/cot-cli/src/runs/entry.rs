//! One-line descriptions of journal entries.

use cot_engine::{Attempt, BranchOutcome, Event, RunEvent};
use cot_store::{Entry, EventRecord, Record, RunStarted, RunSubmitted, StepRecord};

use super::words::{excerpt, failure, time};

/// Formats an entry: number, time, kind and content.
pub(super) fn line(entry: &Entry) -> String {
    let at = time(entry.record.at());
    let (kind, content) = match &entry.record {
        Record::Submitted(RunSubmitted { process, .. }) => ("submitted", process.clone()),
        Record::Begun(begun) => ("begun", describe_begun(begun)),
        Record::Event(event) => describe_event(event),
        Record::Step(step) => ("step", describe_step(step)),
    };
    format!("{:>5}  {at}  {kind:<9}  {content}", entry.number).trim_end().to_owned()
}

fn describe_begun(RunStarted { process, origin, status, .. }: &RunStarted) -> String {
    let origin = origin.as_ref().map(|origin| format!(", a fork of {origin}")).unwrap_or_default();
    format!("{process}{origin}, {} at {}", status.word(), status.task())
}

fn describe_event(EventRecord { asked, event, .. }: &EventRecord) -> (&'static str, String) {
    let (kind, content) = match event {
        Event::Replied { reply, .. } => {
            let calls = reply.tool_calls.iter().map(|call| format!("calls {}", call.name));
            let text = Some(reply.text.clone()).filter(|text| !text.is_empty());
            let content = text.into_iter().chain(calls).collect::<Vec<_>>().join("; ");
            ("replied", excerpt(&content))
        }
        Event::Failed { error, .. } => ("failed", excerpt(&error.to_string())),
        Event::Ran { result: Ok(value), .. } => ("ran", excerpt(&value.to_string())),
        Event::Ran { result: Err(error), .. } => ("ran", excerpt(&format!("failed: {error}"))),
        Event::Answered { answer, .. } => ("answered", excerpt(&answer.to_string())),
        Event::Started { .. } => ("started", String::new()),
        Event::Interrupted { .. } => ("interrupted", String::new()),
        Event::TimedOut { .. } => ("timed_out", String::new()),
        Event::Woken { .. } => ("woken", String::new()),
        Event::Cancelled { reason, .. } => ("cancelled", excerpt(reason)),
    };
    let key = asked.as_ref().map(|asked| {
        let engine = asked.engine.as_ref().map(|engine| format!(" by {}", excerpt(engine)));
        format!("{}{}: ", asked.key, engine.unwrap_or_default())
    });
    (kind, key.unwrap_or_default() + &content)
}

fn describe_step(StepRecord { notes, status, .. }: &StepRecord) -> String {
    let standing = format!("{} at {}", status.word(), status.task());
    let notes = notes.iter().filter_map(describe_note);
    notes.chain([standing]).collect::<Vec<_>>().join("; ")
}

fn describe_note(note: &RunEvent) -> Option<String> {
    let called = |task: &str, item: Option<usize>, attempt: u32| {
        let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
        format!("{task}{item}@{attempt}")
    };
    Some(match note {
        RunEvent::TaskStarted { task, step, .. } => format!("{step} {task}"),
        RunEvent::Repaired { task, item, attempt, .. } => {
            format!("{} mended", called(task, *item, *attempt))
        }
        RunEvent::Found { task, item, passages } => {
            let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
            format!("{task}{item} found {} values in their sources", passages.len())
        }
        RunEvent::AttemptFailed { task, attempt, .. } => {
            let Attempt { number, item, failure: how, issues, .. } = attempt;
            let issues = excerpt(&issues.to_string());
            format!("{} {}: {issues}", called(task, *item, *number), failure(*how))
        }
        RunEvent::ToolCalled { task, call, tool, .. } => {
            format!("{task} calls {} (call {call})", excerpt(tool))
        }
        RunEvent::ToolReturned { call, result: Ok(result), .. } => {
            format!("call {call} returned {}", excerpt(result))
        }
        RunEvent::ToolReturned { call, result: Err(error), .. } => {
            format!("call {call} failed: {}", excerpt(error))
        }
        RunEvent::ItemDone { task, item, .. } => format!("{task}[{item}] done"),
        RunEvent::ItemFailed { task, item, reason } => {
            format!("{task}[{item}] failed: {}", excerpt(reason))
        }
        RunEvent::BranchEnded { branch, outcome, .. } => match outcome {
            BranchOutcome::Joined => format!("branch {branch} joined"),
            BranchOutcome::Failed(why) => format!("branch {branch} failed: {}", excerpt(why)),
            BranchOutcome::Cancelled => format!("branch {branch} cancelled"),
        },
        RunEvent::Committed { task, .. } => format!("{task} committed"),
        RunEvent::Transitioned { task, go_to, .. } => format!("{task} chose {go_to}"),
        RunEvent::TaskFinished { task, next: Some(next), route } => {
            format!("{task} -> {next} ({route})")
        }
        RunEvent::TaskFinished { task, next: None, route } => format!("{task} ({route})"),
        RunEvent::Nested { process, item, event, .. } => {
            let item = item.map(|item| format!("[{item}]")).unwrap_or_default();
            format!("{process}{item}::{}", describe_note(event)?)
        }
        _ => return None,
    })
}
