//! The status of a run and the facts of its calls, as a journal records them.

use std::{sync::Arc, time::SystemTime};

use cot_engine::{Action, CallId, CallKey, Directive, Ending, Question, internal::AnyMachine};
use cot_store::{CallInfo, CallMarks, EndKind, Status};

use super::wait::Wait;

/// Returns the status of a run between tasks, or whose task runs models or functions.
pub(crate) fn running_status(machine: &dyn AnyMachine) -> Status {
    Status::Running { task: machine.task().map_or("", |task| machine.task_name(task)).to_owned() }
}

/// Returns the status of a run that waits for a person's answer.
pub(super) fn asking_status(
    directive: &Directive,
    question: &Question,
    Wait { task, since, until, .. }: Wait,
    due: Option<SystemTime>,
) -> Status {
    Status::Asking {
        task: task.to_owned(),
        key: directive.key.clone(),
        question: question.text.clone(),
        schema: question.schema.json().clone(),
        issues: question.issues.clone(),
        since,
        until,
        due,
    }
}

/// Returns the status of a run that has ended; `None` if it has not.
pub(crate) fn ended_status(machine: &dyn AnyMachine) -> Option<Status> {
    let ending = machine.ending()?;
    let task = machine.task_name(ending.task()).to_owned();
    let (how, why) = match ending {
        Ending::End(_) => (EndKind::End, String::new()),
        Ending::Fail(_, why) => (EndKind::Fail, why.clone()),
        Ending::RanOut(_) => (EndKind::RanOut, String::new()),
        Ending::Halted(halt) => (EndKind::Halted, halt.reason.to_string()),
    };
    Some(Status::Ended { task, how, why })
}

/// Returns the facts of the call with this id; `None` if the machine does not make it, or it is a timer.
pub(crate) fn call_info(machine: &mut dyn AnyMachine, id: CallId) -> Option<CallInfo> {
    let program = machine.definition().version.map(str::to_owned);
    let directives = machine.poll_only(Some(id)).directives();
    let Directive { key, action, .. } = find_call(directives, id)?;
    let call = match action {
        Action::CallModel(call) => Some(call),
        _ => None,
    };
    let engine = call.and_then(|call| call.engine).map(str::to_owned);
    let prompt = call.map(|call| Arc::new(call.request.segments()));
    let marks = call.and_then(|call| call.trust).and_then(CallMarks::from_trust);
    Some(CallInfo { key: key.clone(), engine, program, prompt, marks })
}

/// Returns the key of the call with this id; `None` if the machine does not make it, or it is a timer.
pub(super) fn call_key(machine: &mut dyn AnyMachine, id: CallId) -> Option<CallKey> {
    let directives = machine.poll_only(Some(id)).directives();
    find_call(directives, id).map(|call| call.key.clone())
}

fn find_call(directives: &[Directive], id: CallId) -> Option<&Directive> {
    let call = directives.iter().find(|directive| directive.id == id)?;
    (!call.is_sleep()).then_some(call)
}

/// The maximum number of directives in a message.
const MAX_SHOWN: usize = 3;

/// Describes the directives of a machine for a message.
pub(crate) fn describe_directives(machine: &mut dyn AnyMachine) -> String {
    let definition = machine.definition();
    let directives = machine.poll_after(None).directives();
    let shown = directives.iter().take(MAX_SHOWN).map(|directive| match directive.action {
        Action::Sleep { .. } => {
            format!("the timer of `{}`", definition.task(directive.task).about.name)
        }
        _ => directive.key.to_string(),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { "nothing".to_owned() } else { shown }
}
