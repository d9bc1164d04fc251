//! Attempts of stored runs in traces.

use cot_store::{Answer, AttemptHistory, StepHistory};
use serde_json::Value as Json;

use super::{
    attempt_text::{describe_attempt, describe_repairs},
    results::FailedAttempt,
    trace_writer::TraceWriter,
    visit::{Outer, TaskAt},
};
use crate::json_or_text;

/// A step with its place in the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepAt<'a> {
    pub(super) process: &'a str,
    pub(super) outer: &'a [Outer],
    pub(super) step: &'a StepHistory,
}

impl<'a> StepAt<'a> {
    pub(super) fn task(&self) -> TaskAt<'a> {
        TaskAt { process: self.process, outer: self.outer, task: &self.step.task }
    }
}

/// Records the attempts of a step, and its items. `shown` is the output or choice that the trace shows.
pub(super) fn write_attempts(writer: &mut TraceWriter, step_at: StepAt<'_>, shown: Option<&Json>) {
    let (step, at) = (step_at.step, step_at.task());
    let mut items = step.items_done.clone();
    for (index, attempt) in step.attempts.iter().enumerate() {
        if !attempt.repairs.is_empty() {
            writer.note(at, describe_repairs((attempt.number, attempt.item), &attempt.repairs));
        }
        if attempt.failure.is_some() {
            write_failed(writer, step_at, index);
            continue;
        }
        let answer = attempt.answer.as_ref().map(answer_json);
        let item = attempt.item.filter(|item| items.contains(item));
        if let Some(item) = item {
            items.retain(|other| *other != item);
            let output = item_output(step, item).or(answer.as_ref()).unwrap_or(&Json::Null);
            writer.end_item(at, item, output);
            write_reply(writer, at, attempt, (answer.as_ref(), Some(output)));
        } else {
            write_reply(writer, at, attempt, (answer.as_ref(), shown));
        }
    }
    for item in items {
        writer.end_item(at, item, item_output(step, item).unwrap_or(&Json::Null));
    }
    step.items_failed.iter().for_each(|item| writer.fail_item(at, *item, None));
}

fn write_failed(writer: &mut TraceWriter, step_at: StepAt<'_>, index: usize) {
    let step = step_at.step;
    let AttemptHistory { number, item, engine, failure, issues, .. } = &step.attempts[index];
    let Some(failure) = *failure else { return };
    let answer = answer_text(&step.attempts[index]);
    let what = describe_attempt((*number, *item, engine.as_deref()), failure, issues, &answer);
    let reply = if issues.to_string().contains(&answer) { "" } else { &answer };
    let reply = if issues.is_empty() { "" } else { reply };
    let will_retry = step.is_committed || index + 1 < step.attempts.len();
    writer.fail(step_at.task(), FailedAttempt { item: *item, what, reply, will_retry });
}

/// Records the answer to a call, unless what the trace shows is the same.
fn write_reply(
    writer: &mut TraceWriter,
    at: TaskAt<'_>,
    attempt: &AttemptHistory,
    (answer, shown): (Option<&Json>, Option<&Json>),
) {
    let (Some(answer), Some(result)) = (answer, &attempt.answer) else { return };
    let is_shown = match result {
        Answer::Replied { text, .. } => {
            shown.is_some_and(|shown| shown == answer || has_text(shown, text))
        }
        _ => shown == Some(answer),
    };
    if !is_shown {
        let what = match result {
            Answer::Replied { .. } => "reply",
            Answer::Answered(_) => "answer",
            Answer::Returned(_) => "returned",
            _ => "failed",
        };
        writer.reply(at, what, answer);
    }
}

/// Returns whether a text is part of a value.
fn has_text(json: &Json, text: &str) -> bool {
    match json {
        Json::String(part) => part == text,
        Json::Array(items) => items.iter().any(|item| has_text(item, text)),
        Json::Object(members) => members.values().any(|member| has_text(member, text)),
        _ => false,
    }
}

/// Returns the output of an item in the output of the step.
fn item_output(step: &StepHistory, item: usize) -> Option<&Json> {
    step.output.as_ref()?.as_array()?.get(item)
}

/// Returns the output: the stored one, or else the answer of the accepted attempt.
pub(super) fn shown_output(step: &StepHistory) -> Json {
    let accepted = step.attempts.iter().rfind(|attempt| attempt.failure.is_none());
    let answered = || match accepted?.answer.as_ref()? {
        answer @ (Answer::Replied { .. } | Answer::Answered(_) | Answer::Returned(_)) => {
            Some(answer_json(answer))
        }
        _ => None,
    };
    step.output.clone().or_else(answered).unwrap_or_default()
}

/// Returns an answer as JSON; a text that is not JSON as a string.
fn answer_json(answer: &Answer) -> Json {
    match answer {
        Answer::Replied { text, .. } => json_or_text(text),
        Answer::Answered(value) | Answer::Returned(value) => value.clone(),
        other => other.to_string().into(),
    }
}

/// Returns the answer of an attempt as text.
fn answer_text(attempt: &AttemptHistory) -> String {
    match &attempt.answer {
        Some(Answer::Replied { text, .. } | Answer::Failed(text)) => text.clone(),
        Some(Answer::Answered(value) | Answer::Returned(value)) => value.to_string(),
        _ => String::new(),
    }
}
