//! Branches whose calls a sink outside of the program records.

use std::io;

use cot_core::{
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply, ModelRequest, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::payments::Sink;

/// The number of runs.
pub const ORDERS: u32 = 100;

/// The number of mails of each run, which its second branch sends one after the other.
pub const MAILS: u32 = 3;

/// The article that the model looks up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Article {
    /// The name.
    pub name: String,
}

/// The text that the model writes.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Letter {
    /// The text.
    pub text: String,
}

/// The state of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The number of the run.
    pub number: u32,
    /// Whether the charge is known to be made.
    pub is_charged: bool,
    /// The mails sent so far.
    pub mails: u32,
    /// The text of the letter.
    pub letter: String,
}

impl Order {
    /// Returns the state at the beginning of a run.
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self { number, ..Self::default() }
    }
}

cot_process! {
    /// Charges, sends mails and writes a letter at the same time.
    pub process Orders {
        state: Order,
        context: Sink,
        tools: {
            price: price "Returns the price of an article",
            reserve: reserve "Reserves an article" { effect: once },
        },

        parallel fill [charge, mail, write] => report

        task charge -> bool {
            run: charge,
            effect: once,
            update: is_charged,
            on: { interrupted => verify },
            next: report,
        }

        task verify { run: verify, next: report }

        task mail -> u32 {
            run: mail,
            update: mails,
            next: { mail if state.mails < MAILS, report },
        }

        task write -> Letter {
            prompt: "order ${state.number}.",
            tools: [price, reserve],
            update: { letter = output.text },
            on: { interrupted => apologize },
            next: report,
        }

        task apologize -> Letter {
            prompt: "sorry for order ${state.number}.",
            update: { letter = output.text },
            next: report,
        }

        task report { run: report, next: done }
        task done { end }
    }
}

async fn charge(_: &Order, cx: &Cx<'_, Orders>) -> io::Result<bool> {
    cx.app().record("once", &cx.call_key()).await.map(|()| true)
}

async fn verify(_: &Order, cx: &Cx<'_, Orders>) -> io::Result<()> {
    cx.app().record("repeatable", &cx.call_key()).await
}

async fn mail(order: &Order, cx: &Cx<'_, Orders>) -> io::Result<u32> {
    cx.app().record("repeatable", &cx.call_key()).await.map(|()| order.mails + 1)
}

async fn report(_: &Order, cx: &Cx<'_, Orders>) -> io::Result<()> {
    cx.app().record("repeatable", &cx.call_key()).await
}

async fn price(_: &Article, _: &Order, cx: &Cx<'_, Orders>) -> io::Result<u32> {
    cx.app().record("repeatable", &cx.call_key()).await.map(|()| 3990)
}

async fn reserve(_: &Article, _: &Order, cx: &Cx<'_, Orders>) -> io::Result<bool> {
    cx.app().record("once", &cx.call_key()).await.map(|()| true)
}

/// A model that asks for two prices at once, reserves an article, and writes. The sink records each of its
/// calls with the key that the call has in the journal.
#[derive(Debug)]
pub struct Clerk {
    /// The sink.
    pub sink: Sink,
}

impl LanguageModel for Clerk {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            let text = request.prompt();
            let (before, after) = text.split_once("order ").unwrap_or_default();
            let number = after.split('.').next().unwrap_or_default();
            let is_sorry = before.ends_with("sorry for ");
            let key = match (is_sorry, request.rounds.len()) {
                (true, _) => format!("order-{number}/apologize#1"),
                (false, 0) => format!("order-{number}/write#1"),
                (false, round) => format!("order-{number}/write#1+round-{round}"),
            };
            let recorded = self.sink.record("repeatable", &key).await;
            recorded.map_err(|error| ModelError::new(ModelErrorKind::Other, error.to_string()))?;
            let call =
                |tool: &str, name: &str| ToolCall::new(tool, format!(r#"{{"name":"{name}"}}"#));
            Ok(match (is_sorry, request.rounds.len()) {
                (true, _) => ModelReply::new(r#"{"text":"sorry"}"#),
                (false, 0) => ModelReply::calling([call("price", "kettle"), call("price", "pot")]),
                (false, 1) => ModelReply::calling([call("reserve", "kettle")]),
                (false, _) => ModelReply::new(r#"{"text":"on its way"}"#),
            })
        })
    }

    fn calls_tools(&self) -> bool {
        true
    }
}
