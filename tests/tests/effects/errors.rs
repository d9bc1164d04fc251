//! What an error says of the effect, and what the run does then.

use std::{error::Error, fmt, io};

use cot_core::{EffectError, FunctionError, model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Bank;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Bill {
    how: String,
    receipt: String,
}

/// An error of the program that names what became of the effect as its cause.
#[derive(Debug)]
struct Declined;

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("declined")
    }
}

impl Error for Declined {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&EffectError::NotDone)
    }
}

fn fail(how: &str) -> anyhow::Result<String> {
    Err(match how {
        "declined" => FunctionError::not_done("declined").into(),
        "declined in a context" => {
            anyhow::Error::from(FunctionError::not_done("declined")).context("paying")
        }
        "declined by the program" => Declined.into(),
        "reset" => io::Error::from(io::ErrorKind::ConnectionReset).into(),
        "unknown" => FunctionError::unknown("connection reset").into(),
        "panic" => panic!("lost the connection"),
        "bad answer" => FunctionError::done("no receipt").into(),
        _ => return Ok("paid".to_owned()),
    })
}

async fn charge(bill: &Bill, cx: &Cx<'_, Once>) -> anyhow::Result<String> {
    cx.app().receive(cx.call_key());
    fail(&bill.how)
}

async fn charge_again(bill: &Bill, cx: &Cx<'_, Again>) -> anyhow::Result<String> {
    cx.app().receive(cx.call_key());
    fail(&bill.how)
}

cot_process! {
    process Once {
        state: Bill,
        context: Bank,

        task charge -> String {
            run: charge,
            effect: once,
            retry: { max: 3, backoff: 1ms..1ms },
            update: receipt,
            on: { interrupted => unknown, exhausted => failed, unreachable => unreached },
            next: done,
        }

        task unknown { end }
        task failed { end }
        task unreached { end }
        task done { end }
    }
}

cot_process! {
    process Again {
        state: Bill,
        context: Bank,

        task charge -> String {
            run: charge_again,
            retry: { max: 3, backoff: 1ms..1ms },
            update: receipt,
            on: { exhausted => failed },
            next: done,
        }

        task failed { end }
        task done { end }
    }
}

fn bill(how: &str) -> Bill {
    Bill { how: how.to_owned(), receipt: String::new() }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_made_again_only_on_the_word_that_nothing_was_done() {
    let cases = [
        ("declined", 4, OnceOutcome::Unreached),
        ("declined in a context", 4, OnceOutcome::Unreached),
        ("declined by the program", 4, OnceOutcome::Unreached),
        ("reset", 1, OnceOutcome::Unknown),
        ("unknown", 1, OnceOutcome::Unknown),
        ("panic", 1, OnceOutcome::Unknown),
        ("bad answer", 1, OnceOutcome::Failed),
        ("well", 1, OnceOutcome::Done),
    ];
    for (how, calls, outcome) in cases {
        let bank = Bank::default();
        let run = Once::runner(bank.clone()).report(bill(how)).await.unwrap();
        assert_eq!((bank.calls(), run.outcome), (calls, outcome), "{how}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_can_be_repeated_is_not_repeated_once_it_is_done() {
    let cases = [("reset", 4), ("panic", 4), ("declined", 4), ("bad answer", 1)];
    for (how, calls) in cases {
        let bank = Bank::default();
        let run = Again::runner(bank.clone()).report(bill(how)).await.unwrap();
        assert_eq!((bank.calls(), run.outcome), (calls, AgainOutcome::Failed), "{how}");
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Amount {
    how: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Letter {
    text: String,
}

async fn pay(amount: &Amount, _: &Bill, cx: &Cx<'_, Agent>) -> anyhow::Result<String> {
    cx.app().receive(cx.call_key());
    fail(&amount.how)
}

cot_process! {
    process Agent {
        state: Bill,
        context: Bank,
        tools: {
            pay: pay "Pays" { effect: once, retry: { max: 2, backoff: 1ms..1ms } },
        },

        task answer -> Letter {
            prompt: "Pay.",
            tools: [pay],
            update: { receipt = output.text },
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_is_called_again_only_on_the_word_that_nothing_was_done() {
    let cases = [
        ("declined", 3, AgentOutcome::Done),
        ("reset", 1, AgentOutcome::Unknown),
        ("panic", 1, AgentOutcome::Unknown),
        // The model learns why there is no result.
        ("bad answer", 1, AgentOutcome::Done),
        ("well", 1, AgentOutcome::Done),
    ];
    for (how, calls, outcome) in cases {
        let bank = Bank::default();
        let call = json!({ "tool": "pay", "arguments": { "how": how } });
        let model = ScriptedModel::new([call, json!({ "text": "thanks" })]);
        let run = Agent::runner(bank.clone()).model(model).report(bill("")).await.unwrap();
        assert_eq!((bank.calls(), run.outcome), (calls, outcome), "{how}");
    }
}

async fn account(bill: &Bill) -> Result<(), FunctionError> {
    match bill.how.as_str() {
        "account" => Err(FunctionError::new("the books are closed")),
        _ => Ok(()),
    }
}

async fn order(bill: &Bill, cx: &Cx<'_, Ordering>) -> anyhow::Result<String> {
    cx.app().receive(cx.call_key());
    fail(&bill.how)
}

cot_process! {
    #[allow(deprecated, reason = "the process around it has the route")]
    process Ordering {
        state: Bill,
        context: Bank,

        task order -> String { run: order, effect: once, update: receipt, next: account }
        task account { run: account, next: done }
        task done { end }
    }
}

cot_process! {
    process Desk {
        state: Bill,
        context: Bank,

        task nest {
            process: Ordering with state.clone(),
            max_retries: 2,
            on: { interrupted => unknown, exhausted => failed },
            next: done,
        }

        task unknown { end }
        task failed { end }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn a_sub_process_is_not_begun_again_after_a_call_that_is_made_once() {
    let cases = [
        ("account", 1, DeskOutcome::Failed),
        ("reset", 1, DeskOutcome::Unknown),
        ("declined", 3, DeskOutcome::Failed),
        ("well", 1, DeskOutcome::Done),
    ];
    for (how, calls, outcome) in cases {
        let bank = Bank::default();
        let run = Desk::runner(bank.clone()).report(bill(how)).await.unwrap();
        assert_eq!((bank.calls(), run.outcome), (calls, outcome), "{how}");
    }
}
