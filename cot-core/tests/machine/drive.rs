//! Drives a machine without a runner.

use std::{sync::Arc, time::Duration};

use cot_core::{
    Directive, Event, EventOutcome, Halt, Machine, MachinePoll, Process,
    model::{ModelReply, ModelRequest},
};
use serde_json::{Value, json};

use crate::lab::{Field, LabMachine, LabOutcome, LabTask, State};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn started() -> LabMachine {
    started_with(State::default())
}

pub(crate) fn started_with<P: Process<Context = (), State = State>>(state: State) -> Machine<P> {
    let mut machine = Machine::new();
    machine.start(state).unwrap();
    machine
}

/// Returns the call that the machine waits for.
pub(crate) fn call<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Directive<P::Task> {
    match machine.poll() {
        MachinePoll::Waiting([call]) => call.clone(),
        other => panic!("expected a call, got {other:?}"),
    }
}

/// Returns the prompt for the model.
pub(crate) fn request<T: std::fmt::Debug>(call: &Directive<T>) -> &Arc<ModelRequest> {
    &call.as_model_call().unwrap_or_else(|| panic!("expected a call, got {call:?}")).request
}

/// Returns the outcome of the run.
pub(crate) fn outcome<P: Process<Context = ()>>(machine: &mut Machine<P>) -> P::Outcome {
    match machine.poll() {
        MachinePoll::Finished(outcome) => outcome,
        other => panic!("expected the end, got {other:?}"),
    }
}

pub(crate) fn halt(machine: &mut LabMachine) -> Halt<LabTask> {
    match outcome(machine) {
        LabOutcome::Halted(halt) => *halt,
        other => panic!("expected a halt, got {other:?}"),
    }
}

/// Answers the next call and returns its prompt.
pub(crate) fn reply<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    reply: impl Into<ModelReply>,
) -> Arc<ModelRequest> {
    let call = call(machine);
    let event = Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND };
    assert_eq!(machine.handle(event), EventOutcome::Applied);
    Arc::clone(request(&call))
}

pub(crate) fn go(task: &str) -> Value {
    json!({"intent": "try it", "goTo": task, "stepAfter": "see"})
}

pub(crate) fn field(name: &str) -> Value {
    json!({"name": name})
}

pub(crate) fn fields<const N: usize>(names: [&str; N]) -> Vec<Field> {
    names.map(|name| Field { name: name.to_owned(), weight: 0.0 }).to_vec()
}

pub(crate) fn names(state: Option<&State>) -> Vec<&str> {
    state.unwrap().fields.iter().map(|field: &Field| field.name.as_str()).collect()
}

/// Returns the issues of the last attempt at the end of the run.
pub(crate) fn issues(machine: &mut LabMachine) -> Vec<String> {
    let halt = halt(machine);
    halt.attempts.last().unwrap().issues.iter().map(ToString::to_string).collect()
}
