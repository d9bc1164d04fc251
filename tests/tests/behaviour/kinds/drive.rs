//! Does by hand what directives of all kinds say.

use std::{
    fmt::Write,
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_core::{
    CallId, Directive, Event, EventOutcome, FunctionError, Machine, MachinePoll, Process, Question,
    ResumeOptions, Snapshot, TaskId, model::ModelReply,
};
use serde_json::Value;

use crate::drive::{SECOND, only};

/// The function that the machine wants to be run.
pub(crate) fn code<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Directive<P::Task> {
    let call = only(machine);
    assert!(call.as_function_call().is_some(), "{call:?}");
    call
}

/// The question that the machine wants to be answered by a person.
pub(crate) fn question<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Directive<P::Task> {
    let call = only(machine);
    assert!(call.as_question().is_some(), "{call:?}");
    call
}

/// What a person is asked.
pub(crate) fn asked<T: TaskId>(call: &Directive<T>) -> &Question {
    call.as_question().unwrap_or_else(|| panic!("expected a question, got {call:?}"))
}

/// The calls of a for-each task.
pub(crate) fn calls<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Vec<Directive<P::Task>> {
    let calls = machine.poll().directives().to_vec();
    assert!(!calls.is_empty());
    for call in &calls {
        assert!(call.as_model_call().is_some() && call.key.item().is_some(), "{call:?}");
    }
    calls
}

/// What a function that never waits returns.
pub(crate) fn result_of<T: TaskId>(call: &Directive<T>) -> Result<Value, FunctionError> {
    let mut running = call.as_function_call().unwrap().run();
    match running.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the function waits"),
    }
}

/// Runs the function that the machine waits for.
pub(crate) fn run<P: Process<Context = ()>>(machine: &mut Machine<P>) -> EventOutcome {
    let call = code(machine);
    let result = result_of(&call);
    ran(machine, result)
}

/// Hands in what the function that the machine waits for came to.
pub(crate) fn ran<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    result: Result<Value, FunctionError>,
) -> EventOutcome {
    let id = code(machine).id;
    machine.handle(Event::Ran { id, result, elapsed: SECOND })
}

/// Answers the question that the machine waits for.
pub(crate) fn answer<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    answer: Value,
) -> EventOutcome {
    answer_after(machine, answer, Duration::ZERO)
}

/// Answers the question that the machine waits for, after it stood so long.
pub(crate) fn answer_after<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    answer: Value,
    elapsed: Duration,
) -> EventOutcome {
    let id = question(machine).id;
    machine.handle(Event::Answered { id, answer, elapsed })
}

/// Answers one of the calls of a for-each task.
pub(crate) fn reply_to<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    id: CallId,
    reply: impl Into<ModelReply>,
) -> EventOutcome {
    machine.handle(Event::Replied { id, reply: reply.into(), elapsed: SECOND })
}

/// Answers the call for an item.
pub(crate) fn reply_item<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    item: usize,
    reply: impl Into<ModelReply>,
) -> EventOutcome {
    let call = calls(machine).into_iter().find(|call| call.key.item() == Some(item));
    reply_to(machine, call.unwrap_or_else(|| panic!("item {item} is not asked about")).id, reply)
}

/// All that a poll says.
fn shown<P: Process<Context = ()>>(poll: &MachinePoll<'_, P::Task, P::Outcome>) -> String {
    let mut shown = format!("{poll:?}");
    for call in poll.directives().iter().filter_map(Directive::as_model_call) {
        write!(shown, "\n{:?}", call.request).unwrap();
    }
    shown
}

/// All that can be seen of a machine from outside, with what it waits for.
pub(crate) fn seen<P: Process<Context = (), State: std::fmt::Debug>>(
    machine: &mut Machine<P>,
) -> String {
    let directive = shown::<P>(&machine.poll());
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
pub(crate) fn resumed<P: Process<Context = ()>>(machine: &Machine<P>) -> Machine<P> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

/// A machine whose snapshot gives the same directive, and the same snapshot again.
pub(crate) fn survives<P: Process<Context = (), State: std::fmt::Debug>>(machine: &mut Machine<P>) {
    let before = machine.snapshot().unwrap().to_json().unwrap();
    let mut other = resumed(machine);
    assert_eq!(other.snapshot().unwrap().to_json().unwrap(), before);
    assert_eq!(seen(&mut other), seen(machine));
    assert_eq!(seen(&mut resumed(machine)), seen(machine));
}
