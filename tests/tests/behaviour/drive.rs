//! Drives a machine by hand.

use std::{sync::Arc, time::Duration};

use cot_core::{
    Action, CotOutput, Directive, Event, EventOutcome, Machine, MachineOptions, MachinePoll,
    Process, TaskId,
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

pub(crate) fn started<P: Process<Context = ()>>(state: P::State) -> Machine<P> {
    started_with(MachineOptions::default(), state)
}

pub(crate) fn started_with<P: Process<Context = ()>>(
    options: MachineOptions,
    state: P::State,
) -> Machine<P> {
    let mut machine = Machine::new().options(options);
    machine.start(state).unwrap();
    machine
}

/// A run that has had these replies.
pub(crate) fn after<P: Process<Context = ()>, R: Into<ModelReply>>(
    state: P::State,
    replies: impl IntoIterator<Item = R>,
) -> Machine<P> {
    let mut machine = started(state);
    for answer in replies {
        reply(&mut machine, answer);
    }
    machine
}

/// The one directive that the machine waits for.
pub(crate) fn only<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Directive<P::Task> {
    match machine.poll() {
        MachinePoll::Waiting([only]) => only.clone(),
        other => panic!("expected one directive, got {other:?}"),
    }
}

/// The model call that the machine waits for.
pub(crate) fn call<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Directive<P::Task> {
    let call = only(machine);
    assert!(call.as_model_call().is_some() && call.key.item().is_none(), "{call:?}");
    call
}

/// The engine that a call goes to.
pub(crate) fn engine<T: TaskId>(call: &Directive<T>) -> Option<&'static str> {
    call.as_model_call().and_then(|call| call.engine)
}

/// What a model is asked.
pub(crate) fn request<T: TaskId>(call: &Directive<T>) -> &Arc<ModelRequest> {
    &call.as_model_call().unwrap_or_else(|| panic!("expected a call, got {call:?}")).request
}

/// The prompt that the machine wants to be answered.
pub(crate) fn prompt<P: Process<Context = ()>>(machine: &mut Machine<P>) -> String {
    request(&call(machine)).prompt().to_owned()
}

/// How the run ended.
pub(crate) fn outcome<P: Process<Context = ()>>(machine: &mut Machine<P>) -> P::Outcome {
    match machine.poll() {
        MachinePoll::Finished(outcome) => outcome,
        other => panic!("expected the end, got {other:?}"),
    }
}

/// Answers the next call, and returns what was asked.
pub(crate) fn reply<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    reply: impl Into<ModelReply>,
) -> Arc<ModelRequest> {
    let call = call(machine);
    let event = Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND };
    assert_eq!(machine.handle(event), EventOutcome::Applied);
    Arc::clone(request(&call))
}

pub(crate) fn state<P: Process<Context = ()>>(machine: &Machine<P>) -> &P::State {
    machine.state().unwrap()
}

/// The history as JSON.
pub(crate) fn history<P: Process<Context = ()>>(machine: &Machine<P>) -> Value {
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
    pub(crate) fn prompt_of(&self, task: &str) -> &str {
        &self.asked.iter().find(|(name, _)| name == task).unwrap().1
    }
}

/// Performs every directive of a machine: models and people answer as `answer` says for a task and
/// an item, functions run, and timers pass at once.
pub(crate) fn drive<P: Process<Context = ()>>(
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
        let directive = match machine.poll() {
            MachinePoll::Waiting(directives) => &directives[0],
            MachinePoll::Finished(_) => return Driven { asked },
            MachinePoll::Idle => panic!("the machine was not started"),
        };
        let (id, task, elapsed) = (directive.id, directive.task.to_string(), SECOND);
        let event = match &directive.action {
            Action::CallModel(call) => {
                let reply = ask(task, directive.key.item(), call.request.prompt());
                Event::Replied { id, reply: reply.into(), elapsed }
            }
            Action::RunFunction(call) => {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                Event::Ran { id, result: runtime.block_on(call.run()), elapsed }
            }
            Action::AskHuman(question) => {
                Event::Answered { id, answer: ask(task, None, &question.text), elapsed }
            }
            Action::Sleep { .. } => Event::Woken { id },
        };
        assert_ne!(machine.handle(event), EventOutcome::Stale);
    }
}
