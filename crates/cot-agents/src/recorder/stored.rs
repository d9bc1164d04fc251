//! Traces of stored runs.

use cot_engine::internal::{Definition, TaskDefinition};
use cot_store::{Answer, AttemptHistory, EndKind, RunHistory, Status, StepHistory};
use serde_json::{Value as Json, json};

use super::{failure_text::describe_attempt, trace_writer::TraceWriter};

/// Records the history of a stored run in the same way as its events.
pub(super) fn write_history(
    process: &'static Definition,
    goal: String,
    history: &RunHistory,
) -> TraceWriter {
    let mut writer = TraceWriter::new(process, goal);
    let task = |name: &str| process.tasks.iter().find(|task| task.about.name == name);
    for step in &history.steps {
        if let Some(task) = task(&step.task) {
            write_step(&mut writer, task, step);
        }
    }
    match &history.summary.status {
        Status::Ended { task: name, how, why } => {
            if let Some(task) = task(name) {
                writer.leave(task, None, false);
            }
            let why = Some(why.as_str()).filter(|_| *how != EndKind::End);
            writer.end(why, history.summary.usage);
        }
        Status::Asking { task: name, question, .. } => {
            if let Some(task) = task(name) {
                writer.ask(task, question);
            }
        }
        _ => {}
    }
    writer
}

fn write_step(writer: &mut TraceWriter, task: &'static TaskDefinition, step: &StepHistory) {
    writer.start(task, step.step);
    step.tools.iter().for_each(|call| writer.call_tool(task, call));
    for (index, attempt) in step.attempts.iter().enumerate() {
        if let Some(failure) = attempt.failure {
            let (number, item, issues) = (attempt.number, attempt.item, &attempt.issues);
            let will_retry = step.is_committed || index + 1 < step.attempts.len();
            let what = describe_attempt(number, item, failure, issues, &reply(attempt));
            writer.fail(task, &what, will_retry);
        }
    }
    if let Some(choice) = &step.transition {
        let choice = json!({
            "goTo": choice.go_to, "intent": choice.intent, "stepAfter": choice.step_after,
        });
        writer.choose(task, &choice);
    } else if step.is_committed {
        writer.commit(task, &output(step));
    }
    if let Some(route) = &step.route {
        let way = step.next.as_ref().map(|next| describe_route(&step.task, route, next));
        writer.leave(task, way, is_done(route));
    }
}

/// Returns the output: the stored one, or else the answer of the accepted attempt.
fn output(step: &StepHistory) -> Json {
    let good = step.attempts.iter().rfind(|attempt| attempt.failure.is_none());
    let answered = || match good?.answer.as_ref()? {
        Answer::Replied { text, .. } => {
            Some(serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into()))
        }
        Answer::Answered(value) | Answer::Returned(value) => Some(value.clone()),
        _ => None,
    };
    step.output.clone().or_else(answered).unwrap_or_default()
}

/// Returns the answer of an attempt as text.
fn reply(attempt: &AttemptHistory) -> String {
    match &attempt.answer {
        Some(Answer::Replied { text, .. } | Answer::Failed(text)) => text.clone(),
        Some(Answer::Answered(value) | Answer::Returned(value)) => value.to_string(),
        _ => String::new(),
    }
}

/// Describes the route from a task to the next, from the stored name of the route.
fn describe_route(task: &str, route: &str, next: &str) -> String {
    let leads = match route {
        "transition" => format!("chose `{next}`"),
        "choice" => format!("chose `{next}` by its function"),
        "next" => format!("leads to `{next}`, by its `next`"),
        "sequence" => format!("is followed by `{next}` in its sequence"),
        "default_return" => format!("returns to `{next}`"),
        "return" => format!("returns to `{next}`, which called it"),
        "end" => format!("ends, and `{next}` follows"),
        on => format!("leads to `{next}` when it is {on}"),
    };
    format!("`{task}` {leads}")
}

/// Returns whether this route means that the task was completed.
fn is_done(route: &str) -> bool {
    ["transition", "choice", "next", "sequence", "default_return", "return"].contains(&route)
}
