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

/// What a process did, until its end or until nothing answered.
#[derive(Debug)]
pub(crate) struct Driven {
    /// The prompts and questions, each behind the name of its task.
    pub(crate) asked: Vec<(String, String)>,
}

impl Driven {
    /// What was asked first for a task.
    pub(crate) fn of(&self, task: &str) -> &str {
        &self.asked.iter().find(|(name, _)| name == task).unwrap().1
    }
}

/// Performs every directive of a machine: models and people answer as `answer` says for a task and
/// an item, functions run, and timers pass at once.
pub(crate) fn drive<P: Process>(
    machine: &mut Machine<P>,
    mut answer: impl FnMut(&str, Option<usize>) -> Value,
) -> Driven {
    let mut asked = Vec::new();
    let mut ask = |task: String, item, text: &str| {
        let value = answer(&task, item);
        asked.push((task, text.to_owned()));
        value
    };
    loop {
        let event = match machine.poll() {
            Directive::CallModel(call) => {
                let reply = ask(call.task.to_string(), call.item, call.request.prompt());
                Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND }
            }
            Directive::CallModels(calls) => {
                let call = calls.first().unwrap();
                let reply = ask(call.task.to_string(), call.item, call.request.prompt());
                Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND }
            }
            Directive::RunCode(call) => {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let result = runtime.block_on(call.run());
                Event::Ran { id: call.id, result, elapsed: SECOND }
            }
            Directive::AskHuman(call) => {
                let answer = ask(call.task.to_string(), None, &call.question.text);
                Event::Answered { id: call.id, answer, elapsed: SECOND }
            }
            Directive::Wait(timer) => Event::Woken { id: timer.id },
            Directive::Finished(_) => return Driven { asked },
            Directive::Idle => panic!("the machine was not started"),
        };
        assert_ne!(machine.handle(event), Handled::Stale);
    }
}
