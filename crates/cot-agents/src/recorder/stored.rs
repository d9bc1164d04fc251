//! Records of runs out of a store.

use cot_engine::internal::{Definition, TaskDefinition};
use cot_store::{Answer, AttemptHistory, EndKind, RunHistory, Status, StepHistory};
use serde_json::{Value as Json, json};

use super::{record::Record, wording::said};

/// What a store knows of a run of a process, as a record of its events would have it.
pub(super) fn record(process: &'static Definition, goal: String, history: &RunHistory) -> Record {
    let mut record = Record::new(process, goal);
    let task = |name: &str| process.tasks.iter().find(|task| task.about.name == name);
    for step in &history.steps {
        if let Some(task) = task(&step.task) {
            take(&mut record, task, step);
        }
    }
    match &history.summary.status {
        Status::Ended { task: name, how, why } => {
            if let Some(task) = task(name) {
                record.leave(task, None, false);
            }
            let why = Some(why.as_str()).filter(|_| *how != EndKind::End);
            record.end(why, history.summary.usage);
        }
        Status::Asking { task: name, question, .. } => {
            if let Some(task) = task(name) {
                record.ask(task, question);
            }
        }
        _ => {}
    }
    record
}

fn take(record: &mut Record, task: &'static TaskDefinition, step: &StepHistory) {
    record.start(task, step.step);
    for (index, attempt) in step.attempts.iter().enumerate() {
        if let Some(failure) = attempt.failure {
            let (number, item, issues) = (attempt.number, attempt.item, &attempt.issues);
            let will_retry = step.is_committed || index + 1 < step.attempts.len();
            let what = said(number, item, failure, issues, &reply(attempt));
            record.fail(task, &what, will_retry);
        }
    }
    if let Some(choice) = &step.transition {
        let choice = json!({
            "goTo": choice.go_to, "intent": choice.intent, "stepAfter": choice.step_after,
        });
        record.choose(task, &choice);
    } else if step.is_committed {
        record.commit(task, &output(step));
    }
    if let Some(route) = &step.route {
        let way = step.next.as_ref().map(|next| way(&step.task, route, next));
        record.leave(task, way, is_done(route));
    }
}

/// The output: as the run keeps it, or as it came.
fn output(step: &StepHistory) -> Json {
    let good = step.attempts.iter().rfind(|attempt| attempt.failure.is_none());
    let came = || match good?.answer.as_ref()? {
        Answer::Replied { text, .. } => {
            Some(serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into()))
        }
        Answer::Answered(value) | Answer::Returned(value) => Some(value.clone()),
        _ => None,
    };
    step.output.clone().or_else(came).unwrap_or_default()
}

/// What came of an attempt, in words.
fn reply(attempt: &AttemptHistory) -> String {
    match &attempt.answer {
        Some(Answer::Replied { text, .. } | Answer::Failed(text)) => text.clone(),
        Some(Answer::Answered(value) | Answer::Returned(value)) => value.to_string(),
        _ => String::new(),
    }
}

/// How a run went from a task to the next, by the word for the route.
fn way(task: &str, route: &str, next: &str) -> String {
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

/// Whether a task that was left this way had done its work.
fn is_done(route: &str) -> bool {
    ["transition", "choice", "next", "sequence", "default_return", "return"].contains(&route)
}
