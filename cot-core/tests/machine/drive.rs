//! Drives a machine by hand.

use std::time::Duration;

use cot_core::{
    __private::Ending,
    Directive, Event, Halt, Handled, ModelCall,
    model::{ModelReply, ModelRequest},
};
use serde_json::{Value, json};

use crate::lab::{Field, Lab, LabMachine, Plan, State, Task};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn started<G: Plan>() -> LabMachine<G> {
    started_with(State::default())
}

pub(crate) fn started_with<G: Plan>(state: State) -> LabMachine<G> {
    let mut machine = LabMachine::new();
    machine.start(state).unwrap();
    machine
}

/// The call that the machine waits for.
pub(crate) fn call<G: Plan>(machine: &mut LabMachine<G>) -> ModelCall<Lab<G>> {
    match machine.poll() {
        Directive::CallModel(call) => call,
        other => panic!("expected a call, got {other:?}"),
    }
}

/// How the run ended.
pub(crate) fn ending<G: Plan>(machine: &mut LabMachine<G>) -> Ending<Task> {
    match machine.poll() {
        Directive::Finished(ending) => ending,
        other => panic!("expected the end, got {other:?}"),
    }
}

pub(crate) fn halt<G: Plan>(machine: &mut LabMachine<G>) -> Halt<Task> {
    match ending(machine) {
        Ending::Halted(halt) => halt,
        other => panic!("expected a halt, got {other:?}"),
    }
}

/// Answers the next call, and returns what was asked.
pub(crate) fn reply<G: Plan>(
    machine: &mut LabMachine<G>,
    reply: impl Into<ModelReply>,
) -> std::sync::Arc<ModelRequest> {
    let call = call(machine);
    let event = Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND };
    assert_eq!(machine.handle(event), Handled::Applied);
    call.request
}

pub(crate) fn go(task: &str) -> Value {
    json!({"intent": "try it", "goTo": task, "stepAfter": "see"})
}

pub(crate) fn field(name: &str) -> Value {
    json!({"name": name})
}

pub(crate) fn names(state: Option<&State>) -> Vec<&str> {
    state.unwrap().fields.iter().map(|field: &Field| field.name.as_str()).collect()
}

/// Messages of the issues of the last attempt at the run's end.
pub(crate) fn issues<G: Plan>(machine: &mut LabMachine<G>) -> Vec<String> {
    let halt = halt(machine);
    halt.attempts.last().unwrap().issues.iter().map(ToString::to_string).collect()
}
