//! Drives a machine by hand.

use std::{sync::Arc, time::Duration};

use cot_core::{
    CotOutput, Directive, Event, Handled, Machine, MachineOptions, ModelCall, Process,
    model::{ModelReply, ModelRequest},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The output of most tasks here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Note {
    #[schemars(length(max = 100))]
    pub(crate) text: String,
    #[schemars(range(max = 1000))]
    pub(crate) rank: u32,
}

/// How long every call takes.
pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn started<P: Process>(state: P::State) -> Machine<P> {
    started_with(MachineOptions::default(), state)
}

pub(crate) fn started_with<P: Process>(options: MachineOptions, state: P::State) -> Machine<P> {
    let mut machine = Machine::with_options(options);
    machine.start(state).unwrap();
    machine
}

/// A run that has had these replies.
pub(crate) fn after<P: Process, R: Into<ModelReply>>(
    state: P::State,
    replies: impl IntoIterator<Item = R>,
) -> Machine<P> {
    let mut machine = started(state);
    for answer in replies {
        reply(&mut machine, answer);
    }
    machine
}

/// The call that the machine waits for.
pub(crate) fn call<P: Process>(machine: &mut Machine<P>) -> ModelCall<P> {
    match machine.poll() {
        Directive::CallModel(call) => call,
        other => panic!("expected a call, got {other:?}"),
    }
}

/// The prompt that the machine wants to be answered.
pub(crate) fn prompt<P: Process>(machine: &mut Machine<P>) -> String {
    call(machine).request.prompt().to_owned()
}

/// How the run ended.
pub(crate) fn outcome<P: Process>(machine: &mut Machine<P>) -> P::Outcome {
    match machine.poll() {
        Directive::Finished(outcome) => outcome,
        other => panic!("expected the end, got {other:?}"),
    }
}

/// Answers the next call, and returns what was asked.
pub(crate) fn reply<P: Process>(
    machine: &mut Machine<P>,
    reply: impl Into<ModelReply>,
) -> Arc<ModelRequest> {
    let call = call(machine);
    let event = Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND };
    assert_eq!(machine.handle(event), Handled::Applied);
    call.request
}

pub(crate) fn state<P: Process>(machine: &Machine<P>) -> &P::State {
    machine.state().unwrap()
}

/// The history as JSON.
pub(crate) fn history<P: Process>(machine: &Machine<P>) -> Value {
    serde_json::to_value(machine.history()).unwrap()
}

pub(crate) fn note(text: &str, rank: u32) -> Value {
    json!({ "text": text, "rank": rank })
}

pub(crate) fn go(task: &str) -> Value {
    json!({ "intent": "try it", "goTo": task, "stepAfter": "see" })
}
