//! Writes the events of runs to traces.

use cot_engine::{
    AnyOutput, Process, ProcessEvent, Route, RunEvent, TaskId, TaskName, internal::VisitKey,
};
use cot_model::internal::refer_to_blobs;
use serde::Serialize;
use serde_json::{Value as Json, json, value::to_raw_value};

use super::{
    results::describe_repairs,
    trace_writer::TraceWriter,
    visit::{Place, TaskAt, UnwrittenCall},
};

/// Writes an event of a run that is observed.
pub(super) fn write_event<P: Process>(writer: &mut TraceWriter, event: &ProcessEvent<P>) {
    let name = |task: P::Task| TaskName::Borrowed(task.name());
    let untyped = event.clone().map(name, |output| any_output(&output));
    write(writer, &Place::root(P::DEFINITION.about.name), &untyped);
    if let RunEvent::Finished { ending, usage, .. } = event {
        writer.end(ending.why().as_deref(), *usage);
    }
}

/// Writes an event of a run that is observed or stored. The answers of a stored one are in the writer.
pub(super) fn write(writer: &mut TraceWriter, place: &Place<'_>, event: &RunEvent) {
    let at = |task| place.at(task);
    match event {
        RunEvent::Waiting { task, duration } => writer.wait(at(task), *duration),
        RunEvent::TaskStarted { task, step, visit } => writer.start(at(task), *step, *visit),
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
            writer.fail(at(task), attempt, *will_retry);
        }
        RunEvent::ItemDone { task, item, output, .. } => {
            writer.end_item(at(task), *item, single(&json(output)));
        }
        RunEvent::ItemFailed { task, item, reason } => {
            writer.fail_item(at(task), *item, reason);
        }
        RunEvent::BranchEnded { task, branch, outcome } => {
            writer.end_branch(at(task), branch, outcome);
        }
        RunEvent::Committed { task, output, .. } => {
            writer.commit(at(task), &json(output));
        }
        RunEvent::Transitioned { task, go_to, intent, step_after, .. } => {
            let choice = json!({ "goTo": go_to, "intent": intent, "stepAfter": step_after });
            writer.choose(at(task), &choice);
        }
        RunEvent::TaskFinished { task, next, route } => {
            leave(writer, at(task), next.as_deref(), *route);
        }
        RunEvent::Nested { task, item, attempt, process, event } => {
            let at = at(task);
            let (task, number) = (task.clone(), writer.visit_number(at));
            let visit = VisitKey { task, number, item: *item, attempt: *attempt };
            writer.outline.learn_performer(at, || format!("The process {process}"));
            write(writer, &place.inner(visit, process), event);
        }
        _ => {}
    }
}

/// Converts an output. Images and documents in it are references to their bytes.
fn any_output(output: &impl Serialize) -> AnyOutput {
    let json = refer_to_blobs(|| to_raw_value(output)).ok();
    json.and_then(|json| serde_json::from_str(json.get()).ok()).unwrap_or_default()
}

fn json(output: &AnyOutput) -> Json {
    output.to_json().unwrap_or_default()
}

/// Returns the only value of a list, which is the output of an item.
fn single(output: &Json) -> &Json {
    match output.as_array().map(Vec::as_slice) {
        Some([only]) => only,
        _ => output,
    }
}

/// Writes the end of a task with the route to the next one.
fn leave(writer: &mut TraceWriter, at: TaskAt<'_>, next: Option<&str>, route: Route) {
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
