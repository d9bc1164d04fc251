//! Where a run stands, and what its calls are, as a journal tells it.

use std::{sync::Arc, time::SystemTime};

use cot_engine::{Action, CallId, Directive, Ending, Machine, Process, Question, TaskId};
use cot_store::{Asked, Ended, Status};

/// Models or functions are at work, or will be.
pub(crate) fn running<P: Process>(machine: &Machine<P>) -> Status {
    Status::Running { task: machine.task().map_or("", TaskId::name).to_owned() }
}

/// A person is asked.
pub(crate) fn asking<T: TaskId>(
    directive: &Directive<T>,
    question: &Question,
    since: SystemTime,
    until: Option<SystemTime>,
) -> Status {
    Status::Asking {
        task: directive.task.name().to_owned(),
        key: directive.key.clone(),
        question: question.text.clone(),
        schema: question.schema.json().clone(),
        issues: question.issues.clone(),
        since,
        until,
    }
}

/// The run is over; if it is.
pub(crate) fn ended<P: Process>(machine: &Machine<P>) -> Option<Status> {
    let ending = machine.ending()?;
    let task = ending.task().name().to_owned();
    let (how, why) = match ending {
        Ending::End(_) => (Ended::End, String::new()),
        Ending::Fail(_, why) => (Ended::Fail, why),
        Ending::RanOut(_) => (Ended::RanOut, String::new()),
        Ending::Halted(halt) => (Ended::Halted, halt.reason.to_string()),
    };
    Some(Status::Ended { task, how, why })
}

/// The call of this id, if it is one that is to be made now. Timers are no calls.
pub(crate) fn asked<T>(directives: &[Directive<T>], id: CallId) -> Option<Asked> {
    let Directive { key, action, .. } = directives.iter().find(|directive| directive.id == id)?;
    let (engine, prompt) = match action {
        Action::CallModel(call) => (call.engine, call.request.segments.as_ref()),
        Action::RunFunction(_) | Action::AskHuman(_) => (None, None),
        Action::Sleep { .. } => return None,
    };
    Some(Asked {
        key: key.clone(),
        engine: engine.map(str::to_owned),
        prompt: prompt.map(Arc::clone),
    })
}

/// How many directives are shown at most.
const MAX_SHOWN: usize = 3;

/// What has to be done next, in a few words.
pub(crate) fn in_words<T: TaskId>(directives: &[Directive<T>]) -> String {
    let shown = directives.iter().take(MAX_SHOWN).map(|directive| match directive.action {
        Action::Sleep { .. } => format!("the timer of `{}`", directive.task),
        _ => directive.key.to_string(),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { "nothing".to_owned() } else { shown }
}
