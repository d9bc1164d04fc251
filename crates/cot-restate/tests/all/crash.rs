//! Nodes and servers that are killed at any moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    time::Duration,
};

use cot_restate::Outcome;
use serde_json::{Value, json};

use crate::{
    processes::{PileState, StepsState},
    world::{World, until},
};

const RUNS: usize = 10;
const STEPS: usize = 20;
const ITEMS: u32 = 12;
/// The number of calls in flight of a pile.
const AT_ONCE: usize = 4;

/// Returns the answer to `Run r, step s.` or `Pile p, round r, item i.`: its last number.
fn answer(prompt: &str) -> Value {
    json!({ "text": last_number(&question(prompt).unwrap()).to_string() })
}

/// Returns the line that identifies a prompt.
fn question(prompt: &str) -> Option<String> {
    let is_question = |line: &&str| line.starts_with("Run ") || line.starts_with("Pile ");
    prompt.lines().find(is_question).map(str::to_owned)
}

fn last_number(line: &str) -> usize {
    line.trim_end_matches('.').rsplit(' ').next().unwrap().parse().unwrap()
}

/// Limits the number of kills: a server takes time to start, and on a slow machine the test would not
/// end.
const MOST_KILLS: usize = 8;

/// The targets of kills.
#[derive(Clone, Copy)]
enum Victim {
    Node,
    Server,
    Both,
}

/// Kills targets at seeded moments until all runs end or the limit is reached. Returns the number of
/// kills.
async fn kill_until_done(
    world: &mut World,
    victim: Victim,
    pauses: Range<u64>,
    seed: u64,
) -> usize {
    let mut random = Random(seed);
    let mut kills = 0;
    while kills < MOST_KILLS && !all_asked(world) {
        tokio::time::sleep(Duration::from_millis(random.within(&pauses))).await;
        let before = asked(world);
        if matches!(victim, Victim::Node | Victim::Both) {
            world.nodes[0].kill();
        }
        if matches!(victim, Victim::Server | Victim::Both) {
            world.server.restart().await;
        }
        if matches!(victim, Victim::Node | Victim::Both) {
            world.nodes[0].restart();
        }
        kills += 1;
        // A slow machine would otherwise be killed before it makes progress.
        until("a step further", || async {
            (asked(world) > before || all_asked(world)).then_some(())
        })
        .await;
    }
    kills
}

/// Returns whether the last step of each run, and the last item of the pile, was requested.
fn all_asked(world: &World) -> bool {
    let asked = |what: String| world.model.count(&what) > 0;
    (0..RUNS).all(|run| asked(format!("Run {run}, step {}.", STEPS - 1)))
        && asked(format!("Pile p, round 2, item {}.", ITEMS - 1))
}

/// Counts the different questions to the model.
fn asked(world: &World) -> usize {
    world.model.prompts().iter().flat_map(|prompt| question(prompt)).collect::<BTreeSet<_>>().len()
}

struct Random(u64);

impl Random {
    fn within(&mut self, range: &Range<u64>) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        range.start + self.0 % (range.end - range.start)
    }
}

async fn survives(victim: Victim, pauses: Range<u64>, seed: u64) {
    let Some(mut world) = World::start(answer, Duration::from_millis(60)).await else { return };
    for run in 0..RUNS {
        let state = StepsState::new(run.to_string(), STEPS);
        world.send("Steps", &run.to_string(), state).await;
    }
    world.send("Pile", "p", PileState::new("p".to_owned(), (0..ITEMS).collect())).await;
    let kills = kill_until_done(&mut world, victim, pauses, seed).await;

    let done = Outcome::End { task: "done".to_owned() };
    for run in 0..RUNS {
        let ended = world.attach::<StepsState>("Steps", &run.to_string()).await;
        assert_eq!(ended.outcome, done);
        let steps: Vec<String> = (0..STEPS).map(|step| step.to_string()).collect();
        assert_eq!(ended.state.notes, steps, "each step is committed once, in order");
        assert_eq!(ended.usage.calls, STEPS as u64, "and paid for once");
    }
    let ended = world.attach::<PileState>("Pile", "p").await;
    assert_eq!(ended.outcome, done);
    let items: Vec<String> = (0..ITEMS).map(|item| item.to_string()).collect();
    let notes: Vec<_> = ended.state.notes.iter().map(|note| note.text.clone()).collect();
    assert_eq!(notes, [items.join(","), items.join(","), items.join(",")]);
    no_reply_was_asked_for_again(&world.model.prompts(), kills);
}

/// Calls in flight may be repeated, once for each kill; journaled calls must not.
#[expect(clippy::print_stderr, reason = "the numbers are what the test is about")]
fn no_reply_was_asked_for_again(prompts: &[String], kills: usize) {
    let mut newest = BTreeMap::new();
    let mut repeated = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for line in prompts.iter().filter_map(|prompt| question(prompt)) {
        let run = line.split(',').next().unwrap().to_owned();
        if !seen.insert(line.clone()) {
            *repeated.entry(run.clone()).or_insert(0) += 1;
        }
        if run.starts_with("Run ") {
            // A later step was requested after the reply of this one was journaled.
            let step = last_number(&line);
            let newest = newest.entry(run).or_insert(step);
            assert!(step >= *newest, "{line} was asked for after step {newest}");
            *newest = step;
        }
    }
    for (run, count) in &repeated {
        let in_flight = if run.starts_with("Run ") { 1 } else { AT_ONCE };
        assert!(*count <= in_flight * kills, "{run}: {count} calls repeated in {kills} kills");
    }
    let total: usize = repeated.values().sum();
    eprintln!("{kills} kills, {} calls, {total} of them repeated", prompts.len());
    // The delay of the model does not depend on the machine.
    assert!(kills >= 2, "only {kills} kills: nothing is tested");
}

#[tokio::test]
async fn runs_survive_the_death_of_their_node() {
    survives(Victim::Node, 100..500, 11).await;
}

#[tokio::test]
async fn runs_survive_the_death_of_the_server() {
    survives(Victim::Server, 100..500, 12).await;
}

#[tokio::test]
async fn runs_survive_the_death_of_both() {
    survives(Victim::Both, 100..500, 13).await;
}
