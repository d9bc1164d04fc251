//! A shop whose model looks things up and charges cards, and what drives it by hand.

use std::{
    io,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_core::{
    Action, CallKey, Cx, Directive, Event, EventOutcome, FunctionError, Machine, MachineOptions,
    MachinePoll, ResumeOptions, RunEvent, Snapshot, SourceTool, ToolSource,
    model::{BoxFuture, ModelReply, ModelRequest, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drive::SECOND;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Cart {
    pub(super) is_open: bool,
    pub(super) is_frozen: bool,
    pub(super) answers: Vec<Answer>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Answer {
    pub(super) text: String,
}

/// What the tools have done, and the tools of a server.
#[derive(Default)]
pub(super) struct App {
    pub(super) log: Mutex<Vec<String>>,
    pub(super) files: Files,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Query {
    /// The words to search.
    #[schemars(length(min = 1))]
    words: Vec<String>,
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Charge {
    cents: u64,
}

/// Searches. The words decide what goes wrong.
pub(super) async fn search(
    query: &Query,
    _: &Cart,
    cx: &Cx<'_, Shop>,
) -> Result<Vec<String>, io::Error> {
    let (key, attempt) = (cx.call_key(), cx.attempt());
    cx.app().log.lock().unwrap().push(format!("{key} attempt {attempt}"));
    match &*query.words[0] {
        "fail" => Err(io::Error::other("the catalogue is down")),
        "panic" => panic!("no catalogue"),
        "flood" => Ok(vec!["x".repeat(10 << 20)]),
        "hang" => std::future::pending().await,
        word => Ok(vec![format!("{word} found")]),
    }
}

async fn pay(charge: &Charge, _: &Cart, cx: &Cx<'_, Shop>) -> Result<u64, io::Error> {
    cx.app().log.lock().unwrap().push(format!("{} paid {}", cx.call_key(), charge.cents));
    match charge.cents {
        13 => panic!("in the middle of it"),
        14 => Err(io::Error::other("the card was declined")),
        cents => Ok(cents),
    }
}

/// No arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Nothing {}

async fn hours(_: &Nothing) -> Result<&'static str, io::Error> {
    Ok("9 to 5")
}

/// A source of two tools, of which the process allows one.
pub(super) struct Files(Vec<SourceTool>);

impl Default for Files {
    fn default() -> Self {
        let schema = json!({
            "type": "object",
            "properties": { "path": { "type": "string" }, "lines": { "type": "integer", "minimum": 1 } },
            "required": ["path"],
        });
        let remove = SourceTool::new("remove_file", "Removes a file", json!({ "type": "object" }));
        Self(vec![SourceTool::new("read_file", "Reads a file", schema), remove])
    }
}

impl Files {
    pub(super) const fn new(tools: Vec<SourceTool>) -> Self {
        Self(tools)
    }
}

impl ToolSource for Files {
    fn tools(&self) -> &[SourceTool] {
        &self.0
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move { Ok(json!({ "tool": tool, "arguments": arguments, "key": key })) })
    }
}

cot_process! {
    pub(super) process Shop {
        state: Cart,
        context: App,
        history: { tools: all },
        tools: {
            search: search "Searches the catalogue" {
                timeout: 30s,
                retry: { max: 1, backoff: 1s..2s },
            },
            pay: pay "Charges the card" { effect: once, approve: person, timeout: 20s }
                if !state.is_frozen,
            hours: hours "Says when the shop is open",
            files: source app.files { only: [read_file], timeout: 10s },
        },

        task answer -> Answer {
            prompt: "Answer.",
            tools: [search, pay if state.is_open, hours, files],
            max_tool_calls: 6,
            timeout: 5m,
            update: answers[],
            on: { exhausted => lost, interrupted => unknown, timeout => late },
            next: done,
        }

        task lost { end }
        task unknown { end }
        task late { end }
        task done { end }
    }
}

/// A run of the shop, with its program.
pub(super) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) machine: Machine<Shop>,
}

pub(super) fn open() -> Cart {
    Cart { is_open: true, ..Cart::default() }
}

impl Visit {
    pub(super) fn new(cart: Cart) -> Self {
        Self::with(MachineOptions::default(), cart)
    }

    pub(super) fn with(options: MachineOptions, cart: Cart) -> Self {
        let app = Arc::new(App::default());
        let mut machine = Machine::with_context(Arc::clone(&app)).options(options);
        machine.set_run_id("run");
        machine.record(true);
        machine.start(cart).unwrap();
        Self { app, machine }
    }

    /// The directives that the machine waits for.
    pub(super) fn due(&mut self) -> Vec<Directive<ShopTask>> {
        self.machine.poll().directives().to_vec()
    }

    /// The one directive that the machine waits for.
    pub(super) fn only(&mut self) -> Directive<ShopTask> {
        let mut due = self.due();
        assert_eq!(due.len(), 1, "{due:?}");
        due.remove(0)
    }

    /// The keys of the directives that the machine waits for.
    pub(super) fn keys(&mut self) -> Vec<String> {
        self.due().iter().map(|directive| directive.key.to_string()).collect()
    }

    /// The request that waits for a reply.
    pub(super) fn request(&mut self) -> Arc<ModelRequest> {
        let directive = self.only();
        let call = directive.as_model_call();
        Arc::clone(&call.unwrap_or_else(|| panic!("expected a call, got {directive:?}")).request)
    }

    /// Replies to the request.
    pub(super) fn reply(&mut self, reply: impl Into<ModelReply>) {
        let (id, reply) = (self.only().id, reply.into());
        let event = Event::Replied { id, reply, elapsed: SECOND };
        assert_eq!(self.machine.handle(event), EventOutcome::Applied);
    }

    /// Replies with tool calls.
    pub(super) fn call(&mut self, calls: &[(&str, Value)]) {
        let calls = calls.iter().enumerate().map(|(number, (name, arguments))| {
            ToolCall::new(*name, arguments).with_id(format!("id-{number}"))
        });
        self.reply(ModelReply::calling(calls));
    }

    /// Runs the functions that the machine waits for, to the end.
    pub(super) fn run(&mut self) {
        for directive in self.due() {
            self.run_one(&directive.key.to_string());
        }
    }

    /// Runs one function to its end.
    pub(super) fn run_one(&mut self, key: &str) {
        let due = self.due();
        let directive = due.iter().find(|directive| directive.key.to_string() == key);
        let directive = directive.unwrap_or_else(|| panic!("{key} is not among {due:?}"));
        let Action::RunFunction(call) = &directive.action else { panic!("{directive:?}") };
        let mut running = call.run();
        let Poll::Ready(result) = running.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("{key} waits")
        };
        self.handle(Event::Ran { id: directive.id, result, elapsed: SECOND });
    }

    pub(super) fn handle(&mut self, event: Event) {
        assert_eq!(self.machine.handle(event), EventOutcome::Applied);
    }

    /// Says that a call took too long.
    pub(super) fn time_out(&mut self, elapsed: Duration) {
        let id = self.due()[0].id;
        self.handle(Event::TimedOut { id, elapsed });
    }

    pub(super) fn wake(&mut self) {
        let id = self.only().id;
        self.handle(Event::Woken { id });
    }

    /// Answers a person's question.
    pub(super) fn person(&mut self, answer: Value) -> EventOutcome {
        let id = self.only().id;
        self.machine.handle(Event::Answered { id, answer, elapsed: SECOND })
    }

    /// The results of the last round, as the model receives them.
    pub(super) fn results(&mut self) -> Vec<Result<String, String>> {
        let request = self.request();
        let calls = request.rounds.last().unwrap().calls.iter();
        calls
            .map(|(_, result)| match result.is_error {
                false => Ok(result.text.clone()),
                true => Err(result.text.clone()),
            })
            .collect()
    }

    /// The error of the only call of the last round.
    pub(super) fn error(&mut self) -> String {
        self.results().remove(0).unwrap_err()
    }

    pub(super) fn outcome(&mut self) -> ShopOutcome {
        match self.machine.poll() {
            MachinePoll::Finished(outcome) => outcome,
            other => panic!("expected the end, got {other:?}"),
        }
    }

    /// The events of tools since the last call, as lines.
    pub(super) fn events(&mut self) -> Vec<String> {
        let events = self.machine.drain_events();
        let of_tools = events.filter(|event| {
            matches!(event, RunEvent::ToolCalled { .. } | RunEvent::ToolReturned { .. })
        });
        of_tools.map(|event| event.to_string()).collect()
    }

    pub(super) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.app.log.lock().unwrap())
    }

    /// Goes through a snapshot as text, in a program of its own.
    pub(super) fn resume(&mut self) {
        let json = self.machine.snapshot().unwrap().to_json().unwrap();
        let snapshot = Snapshot::from_json(&json).unwrap();
        let context = Arc::clone(&self.app);
        let resumed = Machine::resume_with_context(snapshot, ResumeOptions::new(), context, "run");
        self.machine = resumed.unwrap();
        self.machine.record(true);
        assert_eq!(self.machine.snapshot().unwrap().to_json().unwrap(), json);
    }
}

pub(super) fn words(word: &str) -> Value {
    json!({ "words": [word] })
}

pub(super) fn answer(text: &str) -> Value {
    json!({ "text": text })
}

/// The key of the only directive.
pub(super) fn key(visit: &mut Visit) -> CallKey {
    visit.only().key
}
