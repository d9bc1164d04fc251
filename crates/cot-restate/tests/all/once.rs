//! Calls that are made once, on nodes that are killed.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use cot_core::prelude::*;
use cot_restate::Outcome;
use serde_json::{Value, json};

use crate::{
    node::sink,
    world::{World, until},
};

const RUNS: usize = 10;
const CALLS: usize = 30;
const KILLS: usize = 25;

/// A service that records each call in a file, as a line with its key.
pub(crate) struct Sink {
    pub(crate) file: PathBuf,
}

impl Sink {
    async fn record(&self, key: &str) -> io::Result<String> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        file.write_all(format!("{key}\n").as_bytes())?;
        // The time in which the node can be killed before the result is durable.
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok(key.to_owned())
    }
}

cot_process! {
    /// Charges again and again, each time once.
    pub(crate) process Charges {
        state: { input wanted: usize, charged: Vec<String> = vec![], lost: usize = 0 },
        context: Sink,

        task charge -> String {
            run: charge,
            effect: once,
            update: charged[],
            on: { interrupted => count_lost },
            next: { charge if state.charged.len() + state.lost < state.wanted, done },
        }

        task count_lost -> usize {
            run: one_more,
            update: { lost = output },
            next: { charge if state.charged.len() + state.lost < state.wanted, done },
        }

        task done { end }
    }
}

async fn charge(_: &ChargesState, cx: &Cx<'_, Charges>) -> io::Result<String> {
    cx.app().record(&cx.call_key()).await
}

async fn one_more(state: &ChargesState) -> io::Result<usize> {
    Ok(state.lost + 1)
}

cot_restate::workflow! { pub(crate) struct ChargesWorkflow runs Charges as "Charges"; }

fn no_answer(_: &str) -> Value {
    json!({})
}

#[tokio::test]
#[expect(clippy::print_stderr, reason = "the numbers are what the test is about")]
async fn no_call_is_made_twice_when_nodes_are_killed() {
    let Some(mut world) = World::start(no_answer, Duration::ZERO).await else { return };
    let file = sink(world.nodes[0].port());
    for run in 0..RUNS {
        world.send("Charges", &run.to_string(), ChargesState::new(CALLS)).await;
    }
    let mut kills = 0;
    while kills < KILLS && calls(&file).len() < RUNS * CALLS - 2 * RUNS {
        let before = calls(&file).len();
        until("a call to be made", || async { (calls(&file).len() > before).then_some(()) }).await;
        world.nodes[0].restart();
        kills += 1;
    }

    let (mut charged, mut lost) = (0, 0);
    for run in 0..RUNS {
        let ended = world.attach::<ChargesState>("Charges", &run.to_string()).await;
        assert_eq!(ended.outcome, Outcome::End { task: "done".to_owned() });
        assert_eq!(ended.state.charged.len() + ended.state.lost, CALLS);
        assert!(ended.state.charged.iter().all(|key| key.starts_with(&format!("Charges/{run}/"))));
        charged += ended.state.charged.len();
        lost += ended.state.lost;
    }
    let mut made: BTreeMap<String, u32> = BTreeMap::new();
    for key in calls(&file) {
        *made.entry(key).or_default() += 1;
    }
    fs::remove_file(&file).unwrap();
    assert!(made.values().all(|count| *count == 1), "{made:?}");
    assert!(made.len() >= charged && made.len() <= charged + lost, "{} made", made.len());
    eprintln!("{kills} kills: {charged} calls known, {lost} interrupted");
    assert!(lost > 0, "no kill hit a call");
}

fn calls(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}
