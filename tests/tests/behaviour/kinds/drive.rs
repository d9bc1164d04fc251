//! Does by hand what directives of all kinds say.

use std::{
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_core::{
    CallId, CodeCall, CodeError, Directive, Event, Handled, HumanCall, Machine, ModelCall, Process,
    ResumeOptions, Snapshot, Timer, model::ModelReply,
};
use serde_json::Value;

use crate::drive::SECOND;

/// The function that the machine wants to be run.
pub(crate) fn code<P: Process>(machine: &mut Machine<P>) -> CodeCall<P> {
    match machine.poll() {
        Directive::RunCode(call) => call,
        other => panic!("expected a function, got {other:?}"),
    }
}

/// The question that the machine wants to be answered by a person.
pub(crate) fn question<P: Process>(machine: &mut Machine<P>) -> HumanCall<P> {
    match machine.poll() {
        Directive::AskHuman(call) => call,
        other => panic!("expected a question, got {other:?}"),
    }
}

/// The calls of a for-each task.
pub(crate) fn calls<P: Process>(machine: &mut Machine<P>) -> Vec<ModelCall<P>> {
    match machine.poll() {
        Directive::CallModels(calls) => calls,
        other => panic!("expected calls, got {other:?}"),
    }
}

pub(crate) fn timer<P: Process>(machine: &mut Machine<P>) -> Timer<P> {
    match machine.poll() {
        Directive::Wait(timer) => timer,
        other => panic!("expected a timer, got {other:?}"),
    }
}

/// What a function that never waits returns.
pub(crate) fn result_of<P: Process>(call: &CodeCall<P>) -> Result<Value, CodeError> {
    match call.run().as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the function waits"),
    }
}

/// Runs the function that the machine waits for.
pub(crate) fn run<P: Process>(machine: &mut Machine<P>) -> Handled {
    let call = code(machine);
    let result = result_of(&call);
    ran(machine, result)
}

/// Hands in what the function that the machine waits for came to.
pub(crate) fn ran<P: Process>(
    machine: &mut Machine<P>,
    result: Result<Value, CodeError>,
) -> Handled {
    let id = code(machine).id;
    machine.handle(Event::Ran { id, result, elapsed: SECOND })
}

/// Answers the question that the machine waits for.
pub(crate) fn answer<P: Process>(machine: &mut Machine<P>, answer: Value) -> Handled {
    answer_after(machine, answer, Duration::ZERO)
}

/// Answers the question that the machine waits for, after it stood so long.
pub(crate) fn answer_after<P: Process>(
    machine: &mut Machine<P>,
    answer: Value,
    elapsed: Duration,
) -> Handled {
    let id = question(machine).id;
    machine.handle(Event::Answered { id, answer, elapsed })
}

/// Answers one of the calls of a for-each task.
pub(crate) fn reply_to<P: Process>(
    machine: &mut Machine<P>,
    id: CallId,
    reply: impl Into<ModelReply>,
) -> Handled {
    machine.handle(Event::Replied { id, reply: reply.into(), elapsed: SECOND })
}

/// Answers the call for an item.
pub(crate) fn reply_item<P: Process>(
    machine: &mut Machine<P>,
    item: usize,
    reply: impl Into<ModelReply>,
) -> Handled {
    let call = calls(machine).into_iter().find(|call| call.item == Some(item));
    reply_to(machine, call.unwrap_or_else(|| panic!("item {item} is not asked about")).id, reply)
}

pub(crate) fn wake<P: Process>(machine: &mut Machine<P>) -> Handled {
    let id = timer(machine).id;
    machine.handle(Event::Woken { id })
}

/// Says that what the machine waits for took too long.
pub(crate) fn time_out<P: Process>(machine: &mut Machine<P>, elapsed: Duration) -> Handled {
    let id = ids(&machine.poll())[0];
    machine.handle(Event::TimedOut { id, elapsed })
}

/// The ids that a directive waits for.
pub(crate) fn ids<P: Process>(directive: &Directive<P>) -> Vec<CallId> {
    match directive {
        Directive::Idle | Directive::Finished(_) => Vec::new(),
        Directive::CallModel(call) => vec![call.id],
        Directive::CallModels(calls) => calls.iter().map(|call| call.id).collect(),
        Directive::RunCode(call) => vec![call.id],
        Directive::AskHuman(call) => vec![call.id],
        Directive::Wait(timer) => vec![timer.id],
    }
}

/// All that a directive says.
pub(crate) fn shown<P: Process>(directive: &Directive<P>) -> String {
    let call = |call: &ModelCall<P>| format!("{call:?} {} {:?}", call.key(), call.request);
    match directive {
        Directive::CallModel(it) => call(it),
        Directive::CallModels(calls) => calls.iter().map(call).collect::<Vec<_>>().join("\n"),
        Directive::RunCode(call) => format!("{call:?} {}", call.key()),
        Directive::AskHuman(call) => {
            format!("{call:?} {} {:?}", call.key(), call.question.issues)
        }
        other => format!("{other:?}"),
    }
}

/// All that can be seen of a machine from outside, with what it waits for.
pub(crate) fn seen<P: Process<State: std::fmt::Debug>>(machine: &mut Machine<P>) -> String {
    let directive = shown(&machine.poll());
    let callers: Vec<_> = machine.callers().collect();
    let history = serde_json::to_string(machine.history()).unwrap();
    format!(
        "{directive}\n{:?} {callers:?} {history}\n{:?}\n{:?} {} {:?}",
        machine.task(),
        machine.state(),
        machine.usage(),
        machine.steps(),
        machine.last_failure(),
    )
}

/// The same machine, after a snapshot that went through text.
pub(crate) fn resumed<P: Process>(machine: &Machine<P>) -> Machine<P> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

/// A machine whose snapshot gives the same directive, and the same snapshot again.
pub(crate) fn survives<P: Process<State: std::fmt::Debug>>(machine: &mut Machine<P>) {
    let before = machine.snapshot().unwrap().to_json().unwrap();
    let mut other = resumed(machine);
    assert_eq!(other.snapshot().unwrap().to_json().unwrap(), before);
    assert_eq!(seen(&mut other), seen(machine));
    assert_eq!(seen(&mut resumed(machine)), seen(machine));
}
