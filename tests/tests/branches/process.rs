//! A process with branches of all kinds of tasks, and a driver that answers by hand.

use std::time::Duration;

use cot_core::{Action, Directive, Event, EventOutcome, Machine, TaskId, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Note {
    #[schemars(length(max = 100))]
    pub(crate) text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inside {
    pub(crate) topic: String,
    pub(crate) notes: Vec<Note>,
}

cot_process! {
    pub(crate) process Inner {
        state: Inside,
        task first -> Note { full_prompt: "inner 1: ${state.topic}", update: notes[], next: second }
        task second -> Note { full_prompt: "inner 2", update: notes[], next: finished }
        task finished { end }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trip {
    pub(crate) topics: Vec<String>,
    pub(crate) plan: Note,
    pub(crate) web: Vec<Note>,
    pub(crate) items: Vec<Note>,
    pub(crate) left: Vec<Note>,
    pub(crate) right: Vec<Note>,
    pub(crate) person: Vec<Note>,
    pub(crate) inner: Vec<Note>,
    pub(crate) count: u32,
    pub(crate) merged: Note,
}

impl Trip {
    pub(crate) fn new() -> Self {
        Self { topics: vec!["a".to_owned(), "b".to_owned()], ..Self::default() }
    }
}

async fn count(state: &Trip) -> Result<u32, std::io::Error> {
    tokio::task::yield_now().await;
    Ok(state.count + 1)
}

cot_process! {
    /// A loop, a for-each task with branches after it, a person, a sub-process and functions, all at once.
    pub(crate) process Fan {
        state: Trip,
        max_retries: 1,
        max_steps: 60,
        task plan -> Note { full_prompt: "plan", update: plan, next: spread }

        parallel spread [
            web,
            items,
            person,
            inner,
            count,
        ] => merge { on: { exhausted => apologize } }

        task web -> Note {
            full_prompt: "web ${state.web.len()}",
            update: web[],
            next: { web if state.web.len() < 3, merge },
        }

        task items -> Note {
            for_each: topic in state.topics,
            full_prompt: "item ${topic}",
            max_concurrency: 2,
            update: items,
            next: nested,
        }

        parallel nested [left, right] => nested_end { join: settled }
        task left -> Note { full_prompt: "left", max_retries: 0, update: left[], next: nested_end }
        task right -> Note { wait: 1h, full_prompt: "right", update: right[], next: nested_end }
        task nested_end { next: merge }
        task person -> Note { ask: "Which?", update: person[], next: merge }

        task inner {
            process: Inner with Inside { topic: state.plan.text.clone(), notes: Vec::new() },
            update: { inner = output.notes },
            next: merge,
        }

        task count -> u32 { run: count, update: count, next: { count if *output < 3, merge } }
        task merge -> Note { full_prompt: "merge ${json(state)}", update: merged, next: done }
        task apologize { fail: "sorry" }
        task done { end }
    }
}

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn note(text: &str) -> Value {
    json!({ "text": text })
}

/// What a directive asks for: the prompt, the question, or the kind of the call.
pub(crate) fn asked<T: TaskId>(directive: &Directive<T>) -> String {
    match &directive.action {
        Action::CallModel(call) => call.request.prompt().lines().next().unwrap_or("").to_owned(),
        Action::AskHuman(question) => question.text.clone(),
        Action::RunFunction(_) => format!("run {}", directive.task),
        Action::Sleep { .. } => format!("sleep {}", directive.task),
    }
}

/// The directives that a machine waits for, in words.
pub(crate) fn waits_for<P: Process<Context = ()>>(machine: &mut Machine<P>) -> Vec<String> {
    machine.poll().directives().iter().map(asked).collect()
}

/// Answers the first directive whose text begins like this. Each call takes a second.
pub(crate) fn answer<P: Process<Context = ()>>(
    machine: &mut Machine<P>,
    wanted: &str,
    value: Value,
) -> EventOutcome {
    let poll = machine.poll();
    let found = poll.directives().iter().find(|it| asked(it).starts_with(wanted));
    let Some(directive) = found else { panic!("`{wanted}` is not among {poll:?}") };
    let (id, elapsed) = (directive.id, SECOND);
    let event = match &directive.action {
        Action::CallModel(_) => Event::Replied { id, reply: value.into(), elapsed },
        Action::RunFunction(_) => Event::Ran { id, result: Ok(value), elapsed },
        Action::AskHuman(_) => Event::Answered { id, answer: value, elapsed },
        _ => Event::Woken { id },
    };
    machine.handle(event)
}

pub(crate) fn started<P: Process<Context = ()>>(state: P::State) -> Machine<P> {
    let mut machine = Machine::new();
    machine.record(true);
    machine.start(state).unwrap();
    machine
}
