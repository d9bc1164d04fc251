//! Traces of stored runs.

use std::time::SystemTime;

use cot_engine::Route;
use cot_store::{EndKind, RunHistory, Status, StepHistory};
use serde_json::{Value as Json, json};

use super::{
    events::leave,
    outline::{Outline, process_of},
    stored_attempt::{StepAt, shown_output, write_attempts},
    trace_writer::TraceWriter,
    visit::{Outer, TaskAt, UnwrittenCall},
};

/// Records the history of a stored run in the same way as its events.
pub(super) fn write_history(outline: Outline, goal: String, history: &RunHistory) -> TraceWriter {
    let process = history.summary.process.clone();
    let mut writer = TraceWriter::new(outline, goal);
    write_steps(&mut writer, &process, &[], &history.steps);
    let at = |task| TaskAt { process: &process, outer: &[], task };
    match &history.summary.status {
        Status::Ended { task, how, why } => {
            writer.leave(at(task), (None, None), false);
            let why = Some(why.as_str()).filter(|_| *how != EndKind::End);
            writer.end(why, history.summary.usage);
        }
        Status::Asking { key, question, .. } if key.approval().is_none() => {
            let outer: Vec<Outer> = key.visits().map(Outer::from).collect();
            if let Some((Outer { task, .. }, outer)) = outer.split_last() {
                let process = process_of(history, outer).unwrap_or(&process);
                writer.ask_later(TaskAt { process, outer, task }, question);
            }
        }
        _ => {}
    }
    writer.set_wait(&describe_wait(history));
    writer
}

/// Describes what a run waits for that is not over.
fn describe_wait(history: &RunHistory) -> String {
    if let Some(aside) = &history.summary.set_aside {
        return format!("It is set aside: {}", aside.why);
    }
    match &history.summary.status {
        Status::Queued => "No program has begun it.".to_owned(),
        Status::Running { task } => format!("It is at `{task}`."),
        Status::Asking { task, question, .. } => {
            format!("A person is asked at `{task}`: {question}")
        }
        Status::Sleeping { task, .. } => format!("It waits for a timer at `{task}`."),
        _ => String::new(),
    }
}

/// Records steps of one process. A task with branches ends after the steps of its branches.
fn write_steps(writer: &mut TraceWriter, process: &str, outer: &[Outer], steps: &[StepHistory]) {
    let mut parallel: Vec<StepAt<'_>> = Vec::new();
    for step in steps {
        let at = StepAt { process: step.process.as_deref().unwrap_or(process), outer, step };
        while let Some(open) = parallel.pop_if(|open| is_after(step, open.step)) {
            finish_step(writer, open);
        }
        start_step(writer, at);
        if step.branches.is_empty() {
            finish_step(writer, at);
        } else {
            parallel.push(at);
        }
    }
    parallel.into_iter().rev().for_each(|open| finish_step(writer, open));
}

/// Returns whether a step is not in a branch of a task, but after it.
fn is_after(step: &StepHistory, parallel: &StepHistory) -> bool {
    let Some(joined) = parallel.finished else { return false };
    let times = step.attempts.iter().filter_map(|attempt| attempt.at).chain(step.finished);
    parallel.next.as_deref() == Some(&*step.task)
        || times.min().is_some_and(|time: SystemTime| time > joined)
}

/// Records the start of a step, and what its models and sub-processes did.
fn start_step(writer: &mut TraceWriter, step_at: StepAt<'_>) {
    let StepAt { outer, step, .. } = step_at;
    let at = step_at.task();
    writer.start(at, step.step);
    for call in &step.tools {
        let approval = call.approval.clone();
        let (tool, arguments) = (call.tool.clone(), call.arguments.clone());
        writer.begin_call(at, call.number, UnwrittenCall { tool, arguments, approval });
        let result = match (&call.result, &call.error) {
            (Some(result), _) => Ok(&**result),
            (None, Some(error)) => Err(&**error),
            (None, None) => continue,
        };
        writer.end_call(at, (call.number, &call.tool), result);
    }
    for of_item in step.nested.chunk_by(|one, other| one.item == other.item) {
        let Some(first) = of_item.first() else { continue };
        let mut inner = outer.to_vec();
        inner.push(Outer { task: step.task.clone(), item: first.item });
        write_steps(writer, first.process.as_deref().unwrap_or_default(), &inner, of_item);
    }
}

/// Records the results of a step and its end.
fn finish_step(writer: &mut TraceWriter, step_at: StepAt<'_>) {
    let (step, at) = (step_at.step, step_at.task());
    let choice = step.transition.as_ref().map(|choice| {
        json!({
            "goTo": choice.go_to, "intent": choice.intent, "stepAfter": choice.step_after,
        })
    });
    let output = || shown_output(step);
    let shown: Option<Json> = choice.clone().or_else(|| step.is_committed.then(output));
    write_attempts(writer, step_at, shown.as_ref());
    for branch in &step.branches {
        writer.end_branch(at, &branch.branch, &branch.outcome);
    }
    match (&choice, shown) {
        (Some(choice), _) => writer.choose(at, choice),
        (None, Some(output)) => writer.commit(at, &output),
        (None, None) => {}
    }
    if let Some(route) = &step.route {
        let route = serde_json::from_value(route.as_str().into()).unwrap_or(Route::End);
        leave(writer, at, step.next.as_deref(), route);
    }
}
