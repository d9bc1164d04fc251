//! A process that performs calls of its state. Samples were written by it: it never changes.

use std::convert::Infallible;

use cot_core::{
    model::{ToolCall, ToolRound},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tale::{Tale, ending};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(super) struct Summands {
    numbers: Vec<i64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sums {
    calls: Vec<ToolCall>,
    rounds: Vec<ToolRound>,
}

impl Sums {
    /// A run with calls that succeed, fail and can't be made.
    pub(super) fn new() -> Self {
        let add = |numbers: &[i64]| ToolCall::new("add", json!({ "numbers": numbers }));
        let unknown = ToolCall::new("multiply", json!({ "numbers": [1] })).with_id("b");
        let calls = vec![add(&[1, 2]).with_id("a"), unknown, add(&[]), add(&[3, 4])];
        Self { calls, rounds: Vec::new() }
    }
}

async fn add(summands: &Summands) -> Result<i64, &'static str> {
    match &*summands.numbers {
        [] => Err("there is nothing to add"),
        numbers => Ok(numbers.iter().sum()),
    }
}

async fn log(_: &Summands) -> Result<(), Infallible> {
    Ok(())
}

cot_process! {
    #[allow(deprecated, reason = "the samples have no such route")]
    pub(super) process Calls {
        state: Sums,
        primers: { history: "History:", errors: "Wrong:", output: "Format:" },
        history: { tools: names },
        tools: {
            add: add "Adds numbers" { retry: { max: 1, backoff: 1s..1s }, timeout: 10s },
            log: log "Writes numbers down" { effect: once, approve: person },
        },

        task perform -> ToolRound {
            calls: state.calls,
            tools: [add, log],
            max_concurrency: 1,
            update: rounds[],
            next: done,
        }

        task done { end }
    }
}

impl Tale for Calls {
    fn ended(outcome: &CallsOutcome) -> Value {
        ending(outcome.halt(), outcome)
    }
}
