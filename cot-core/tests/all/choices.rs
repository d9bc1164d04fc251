//! A `process_output` that may leave the next task to `next`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use cot_core::{Description, model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Count {
    count: u32,
}

cot_process! {
    process Counting {
        state: { counts: Vec<u32> = Vec::new(), low: bool = false },

        task count -> Count {
            prompt: "Count.",
            process_output: keep -> [count, high],
            next: { low if output.count < 3, done },
        }

        task low -> Count { run: again, update: { low = true }, next: done }
        task high { fail: "too high" }
        task done { end }
    }
}

/// Counts again after 0, fails above 9, and otherwise leaves the way to `next`.
fn keep(output: &Count, state: &mut CountingState) -> Result<Option<CountingCountChoice>, Issues> {
    state.counts.push(output.count);
    Ok(match output.count {
        0 => Some(CountingCountChoice::Count),
        10.. => Some(CountingCountChoice::High),
        _ => None,
    })
}

async fn again(_: &CountingState) -> Result<Count, std::convert::Infallible> {
    Ok(Count { count: 0 })
}

async fn outcome(counts: &[u32]) -> (CountingOutcome, CountingState) {
    let replies = counts.iter().map(|count| format!("{{\"count\": {count}}}"));
    let model = ScriptedModel::new(replies.collect::<Vec<_>>());
    let run = Counting::runner().model(model).report(CountingState::default()).await.unwrap();
    assert_eq!(run.state.counts, counts);
    (run.outcome, run.state)
}

#[tokio::test]
async fn none_leads_to_next() {
    let (end, state) = outcome(&[0, 0, 2]).await;
    assert!(matches!(end, CountingOutcome::Done) && state.low);
    let (end, state) = outcome(&[5]).await;
    assert!(matches!(end, CountingOutcome::Done) && !state.low);
    let (end, _) = outcome(&[0, 12]).await;
    assert!(matches!(end, CountingOutcome::High { .. }), "{end:?}");
}

#[test]
fn both_ways_are_described() {
    let manifest = Description::new::<Counting>().manifest();
    let ways = manifest["tasks"][0]["ways"].as_array().unwrap();
    let targets: Vec<&str> = ways.iter().map(|way| way["task"].as_str().unwrap()).collect();
    assert_eq!(targets, ["count", "high", "low", "done"], "{ways:?}");
}
