//! A shop whose model looks things up and charges cards.

use std::{io, sync::Mutex};

use cot_core::{
    Cx, Event, EventOutcome, FunctionError, Machine, SourceTool, ToolSource,
    model::{BoxFuture, ModelReply, ToolCall},
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

async fn pay(charge: &Charge, _: &Cart, cx: &Cx<'_, Shop>) -> Result<u64, FunctionError> {
    cx.app().log.lock().unwrap().push(format!("{} paid {}", cx.call_key(), charge.cents));
    match charge.cents {
        13 => panic!("in the middle of it"),
        14 => Err(FunctionError::not_done("the card was declined")),
        15 => Err(FunctionError::new("connection reset")),
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

pub(super) fn open() -> Cart {
    Cart { is_open: true, ..Cart::default() }
}

/// A run of the shop.
pub(super) struct Visit {
    pub(super) machine: Machine<Shop>,
}

impl Visit {
    pub(super) fn new(cart: Cart) -> Self {
        let mut machine = Machine::with_context(App::default());
        machine.start(cart).unwrap();
        Self { machine }
    }

    /// Replies with tool calls.
    pub(super) fn call(&mut self, calls: &[(&str, Value)]) {
        let calls = calls.iter().map(|(name, arguments)| ToolCall::new(*name, arguments));
        let (id, reply) = (self.machine.poll().directives()[0].id, ModelReply::calling(calls));
        let event = Event::Replied { id, reply, elapsed: SECOND };
        assert_eq!(self.machine.handle(event), EventOutcome::Applied);
    }
}

pub(super) fn words(word: &str) -> Value {
    json!({ "words": [word] })
}

pub(super) fn answer(text: &str) -> Value {
    json!({ "text": text })
}
