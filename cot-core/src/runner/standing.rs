//! Where a run stands, and what its calls are, as a journal tells it.

use std::{sync::Arc, time::SystemTime};

use crate::{
    CallId, CallKey, Directive, HumanCall, Machine, ModelCall, Process, TaskId,
    outcome::Ending,
    store::{Asked, Ended, Status},
};

/// Models or functions are at work, or will be.
pub(super) fn running<P: Process>(machine: &Machine<P>) -> Status {
    Status::Running { task: machine.task().map_or("", TaskId::name).to_owned() }
}

/// A person is asked.
pub(super) fn asking<P: Process>(
    call: &HumanCall<P>,
    since: SystemTime,
    until: Option<SystemTime>,
) -> Status {
    Status::Asking {
        task: call.task.name().to_owned(),
        key: call.key(),
        question: call.question.text.clone(),
        schema: call.question.schema.json().clone(),
        issues: call.question.issues.clone(),
        since,
        until,
    }
}

/// The run is over; if it is.
pub(super) fn ended<P: Process>(machine: &Machine<P>) -> Option<Status> {
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

/// The call of this id, if it is one that is to be made now. Timers have no key.
pub(super) fn asked<P: Process>(directive: &Directive<P>, id: CallId) -> Option<Asked> {
    match directive {
        Directive::CallModel(call) if call.id == id => Some(of_model(call)),
        Directive::CallModels(calls) => calls.iter().find(|call| call.id == id).map(of_model),
        Directive::RunCode(call) if call.id == id => Some(without_prompt(call.key())),
        Directive::AskHuman(call) if call.id == id => Some(without_prompt(call.key())),
        _ => None,
    }
}

fn of_model<P: Process>(call: &ModelCall<P>) -> Asked {
    let prompt = call.request.segments.as_ref().map(Arc::clone);
    Asked { key: call.key(), engine: call.engine.map(str::to_owned), prompt }
}

const fn without_prompt(key: CallKey) -> Asked {
    Asked { key, engine: None, prompt: None }
}

/// What has to be done next, in a few words.
pub(super) fn in_words<P: Process>(directive: &Directive<P>) -> String {
    match directive {
        Directive::CallModel(call) => call.key().to_string(),
        Directive::CallModels(calls) => {
            let keys: Vec<String> =
                calls.iter().take(3).map(|call| call.key().to_string()).collect();
            keys.join(", ")
        }
        Directive::RunCode(call) => call.key().to_string(),
        Directive::AskHuman(call) => call.key().to_string(),
        Directive::Wait(timer) => format!("the timer of `{}`", timer.task),
        Directive::Idle | Directive::Finished(_) => "nothing".to_owned(),
    }
}
