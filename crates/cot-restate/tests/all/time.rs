//! The duration of steps, and timeouts.

use std::time::{Duration, Instant};

use cot_restate::Outcome;
use serde_json::{Value, json};

use crate::{
    processes::{StepsState, TicksState},
    world::World,
};

fn answer(_: &str) -> Value {
    json!({ "text": "fine" })
}

#[tokio::test]
async fn a_call_may_take_longer_than_a_node_waits_for_a_run() {
    let Some(world) = World::start(answer, Duration::from_millis(1500)).await else { return };
    world.send("Hasty", "gustav", StepsState::new("gustav".to_owned(), 2)).await;
    let ended = world.attach::<StepsState>("Hasty", "gustav").await;
    assert_eq!(ended.outcome, Outcome::End { task: "done".to_owned() });
    assert_eq!(world.model.prompts().len(), 2, "no call was begun again");
}

/// `COT_RESTATE_SERVER=$(crates/cot-restate/tests/server.sh) cargo test --release -p cot-restate --test all -- \
///  --ignored --nocapture time::how_long_a_step_takes`; with `COT_RESTATE_NODE_DELAYED=1`, on a listener
/// of the SDK's own.
#[tokio::test]
#[ignore = "it measures"]
#[expect(clippy::print_stderr, reason = "it measures")]
async fn how_long_a_step_takes() {
    let Some(world) = World::start(answer, Duration::ZERO).await else { return };
    // The first ones are not warmed up.
    for (count, told) in [(10, false), (500, true)] {
        let began = Instant::now();
        world.send("Ticks", &count.to_string(), TicksState::new(count)).await;
        world.attach::<TicksState>("Ticks", &count.to_string()).await;
        let functions = began.elapsed() / count;
        let began = Instant::now();
        let state = StepsState::new("hans".to_owned(), count as usize);
        world.send("Steps", &count.to_string(), state).await;
        world.attach::<StepsState>("Steps", &count.to_string()).await;
        let calls = began.elapsed() / count;
        if told {
            eprintln!("{count} steps: {functions:?} for a function, {calls:?} for a model call");
        }
    }
}
