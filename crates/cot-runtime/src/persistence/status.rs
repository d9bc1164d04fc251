//! The status of a run and the facts of its calls, as a journal records them.

use std::{sync::Arc, time::SystemTime};

use cot_engine::{Action, CallId, Directive, Ending, Machine, Process, Question, TaskId};
use cot_store::{CallInfo, EndKind, Status};

use super::wait::Wait;

/// Returns the status of a run between tasks, or whose task runs models or functions.
pub(crate) fn running_status<P: Process>(machine: &Machine<P>) -> Status {
    Status::Running { task: machine.task().map_or("", TaskId::name).to_owned() }
}

/// Returns the status of a run that waits for a person's answer.
pub(super) fn asking_status<T: TaskId>(
    directive: &Directive<T>,
    question: &Question,
    Wait { since, until, .. }: Wait,
    due: Option<SystemTime>,
) -> Status {
    Status::Asking {
        task: directive.task.name().to_owned(),
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
pub(crate) fn ended_status<P: Process>(machine: &Machine<P>) -> Option<Status> {
    let ending = machine.ending()?;
    let task = ending.task().name().to_owned();
    let (how, why) = match ending {
        Ending::End(_) => (EndKind::End, String::new()),
        Ending::Fail(_, why) => (EndKind::Fail, why),
        Ending::RanOut(_) => (EndKind::RanOut, String::new()),
        Ending::Halted(halt) => (EndKind::Halted, halt.reason.to_string()),
    };
    Some(Status::Ended { task, how, why })
}

/// Returns the facts of the call with this id; `None` if no listed directive has it, or it is a timer.
pub(crate) fn call_info<T>(directives: &[Directive<T>], id: CallId) -> Option<CallInfo> {
    let Directive { key, action, .. } = directives.iter().find(|directive| directive.id == id)?;
    let (engine, prompt) = match action {
        Action::CallModel(call) => (call.engine, Some(Arc::new(call.request.segments()))),
        Action::RunFunction(_) | Action::AskHuman(_) => (None, None),
        Action::Sleep { .. } => return None,
    };
    Some(CallInfo { key: key.clone(), engine: engine.map(str::to_owned), prompt })
}

/// The maximum number of directives in a message.
const MAX_SHOWN: usize = 3;

/// Describes directives for a message.
pub(crate) fn describe_directives<T: TaskId>(directives: &[Directive<T>]) -> String {
    let shown = directives.iter().take(MAX_SHOWN).map(|directive| match directive.action {
        Action::Sleep { .. } => format!("the timer of `{}`", directive.task),
        _ => directive.key.to_string(),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { "nothing".to_owned() } else { shown }
}
