//! Writes the events of runs to traces.

use cot_engine::{AnyOutput, Attempt, Process, ProcessEvent, Route, RunEvent, TaskId, TaskName};
use cot_model::internal::refer_to_blobs;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{
    attempt_text::{describe_attempt, describe_repairs},
    results::FailedAttempt,
    trace_writer::TraceWriter,
    visit::{Outer, TaskAt, UnwrittenCall},
};

/// How the types of an event are read.
struct EventTypes<T, O> {
    name: fn(&T) -> &str,
    output: fn(&O) -> Json,
}

/// Where an event happens.
struct Place<'a> {
    process: &'a str,
    outer: Vec<Outer>,
}

impl Place<'_> {
    fn at<'a>(&'a self, task: &'a str) -> TaskAt<'a> {
        TaskAt { process: self.process, outer: &self.outer, task }
    }
}

/// Writes an event of a run.
pub(super) fn write_event<P: Process>(writer: &mut TraceWriter, event: &ProcessEvent<P>) {
    let place = Place { process: P::DEFINITION.about.name, outer: Vec::new() };
    let types =
        EventTypes { name: |task: &P::Task| TaskId::name(*task), output: |output| to_json(output) };
    write(writer, &place, event, &types);
    if let RunEvent::Finished { ending, usage, .. } = event {
        writer.end(ending.why().as_deref(), *usage);
    }
}

fn write<T, O>(
    writer: &mut TraceWriter,
    place: &Place<'_>,
    event: &RunEvent<T, O>,
    types: &EventTypes<T, O>,
) {
    let name = types.name;
    let at = |task| place.at(name(task));
    match event {
        RunEvent::Waiting { task, duration } => writer.wait(at(task), *duration),
        RunEvent::TaskStarted { task, step, .. } => writer.start(at(task), *step),
        RunEvent::Asked { task, question } => writer.ask(at(task), &question.text),
        RunEvent::ToolCalled { task, call, tool, arguments } => {
            let (tool, arguments) = (tool.clone(), arguments.clone());
            writer.begin_call(at(task), *call, UnwrittenCall { tool, arguments, approval: None });
        }
        RunEvent::ToolReturned { task, call, tool, result, .. } => {
            let result = result.as_deref().map_err(String::as_str);
            writer.end_call(at(task), (*call, tool), result);
        }
        RunEvent::Repaired { task, item, attempt, repairs } => {
            writer.note(at(task), describe_repairs((*attempt, *item), repairs));
        }
        RunEvent::AttemptFailed { task, attempt, will_retry } => {
            writer.close_below(at(task), attempt.item);
            writer.fail(at(task), failed(attempt, *will_retry));
        }
        RunEvent::ItemDone { task, item, output, .. } => {
            let output = (types.output)(output);
            writer.end_item(at(task), *item, single(&output));
        }
        RunEvent::ItemFailed { task, item, reason } => {
            writer.fail_item(at(task), *item, Some(reason));
        }
        RunEvent::BranchEnded { task, branch, outcome } => {
            writer.end_branch(at(task), name(branch), outcome);
        }
        RunEvent::Committed { task, output, .. } => {
            writer.commit(at(task), &(types.output)(output));
        }
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            let choice = json!({ "goTo": name(go_to), "intent": intent, "stepAfter": step_after });
            writer.choose(at(task), &choice);
        }
        RunEvent::TaskFinished { task, next, route } => {
            leave(writer, at(task), next.as_ref().map(name), *route);
        }
        RunEvent::Nested { task, item, process, event, .. } => {
            let mut outer = place.outer.clone();
            outer.push(Outer { task: name(task).to_owned(), item: *item });
            write(writer, &Place { process, outer }, event, &UNTYPED);
        }
        _ => {}
    }
}

const UNTYPED: EventTypes<TaskName, AnyOutput> = EventTypes {
    name: |task| task,
    output: |output| refer_to_blobs(|| output.to_json()).unwrap_or_default(),
};

fn failed(attempt: &Attempt, will_retry: bool) -> FailedAttempt<'_> {
    let Attempt { number, item, failure, issues, reply, engine, .. } = attempt;
    let what = describe_attempt((*number, *item, engine.as_deref()), *failure, issues, reply);
    let reply = if issues.is_empty() { "" } else { reply };
    FailedAttempt { item: *item, what, reply, will_retry }
}

/// Converts an output. Images and documents in it are references to their bytes.
fn to_json(output: &impl Serialize) -> Json {
    let output = refer_to_blobs(|| serde_json::to_value(output));
    output.unwrap_or_else(|error| Json::String(error.to_string()))
}

/// Returns the only value of a list, which is the output of an item.
fn single(output: &Json) -> &Json {
    match output.as_array().map(Vec::as_slice) {
        Some([only]) => only,
        _ => output,
    }
}

/// Writes the end of a task with the route to the next one.
pub(super) fn leave(writer: &mut TraceWriter, at: TaskAt<'_>, next: Option<&str>, route: Route) {
    let way = next.map(|next| describe_route(at.task, route, next));
    let is_done = !matches!(route, Route::On(_) | Route::End);
    writer.leave(at, (next, way), is_done);
}

/// Describes the route from a task to the next.
fn describe_route(task: &str, route: Route, next: &str) -> String {
    let leads = match route {
        Route::Transition => format!("chose `{next}`"),
        Route::OnlyTransition => format!("can only go to `{next}`"),
        Route::Choice => format!("chose `{next}` by its function"),
        Route::Next(arm) => format!("leads to `{next}`, by arm {arm} of its `next`"),
        Route::AnyNext => format!("leads to `{next}`, by its `next`"),
        Route::Sequence => format!("is followed by `{next}` in its sequence"),
        Route::DefaultReturn => format!("returns to `{next}`"),
        Route::Return => format!("returns to `{next}`, which called it"),
        Route::On(name) => format!("leads to `{next}` when it is {name}"),
        Route::End => format!("ends, and `{next}` follows"),
        _ => format!("leads to `{next}`"),
    };
    format!("`{task}` {leads}")
}
