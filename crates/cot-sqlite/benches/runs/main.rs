//! The cost of storing runs, compared with a hand-written loop that adds a row per step: committed
//! steps per second, of one run and of many concurrent runs, the size of the file, and the time to
//! resume a run.
//!
//! `cargo bench -p cot-sqlite --bench runs`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

mod by_hand;
mod process;

use std::{
    collections::BTreeSet,
    env, fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use cot_core::store::{Record, RunId, Store};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::future::join_all;
use tempfile::TempDir;
use tokio::runtime::{self, Runtime};

use self::{
    by_hand::{Table, by_hand},
    process::{BuilderState, DsBuilder, Prepared, replies},
};

/// The number of steps of a run whose size and resumption are measured; its end is one more.
const STEPS: usize = 1000;
/// The number of concurrent runs.
const MANY: usize = 32;

/// The length of a lap before the other side has its turn. Short, since the speed of disks varies.
#[derive(Clone, Copy)]
struct Lap {
    synchronous: Synchronous,
    /// Whether it is meant for programs without other work, like the hand-written loop.
    in_place: bool,
    runs: usize,
    steps: usize,
    laps: usize,
    /// The target ratio.
    target: f64,
}

const LAPS: [Lap; 6] = [
    Lap {
        synchronous: Synchronous::Full,
        in_place: false,
        runs: 1,
        steps: 250,
        laps: 21,
        target: 0.8,
    },
    Lap {
        synchronous: Synchronous::Full,
        in_place: true,
        runs: 1,
        steps: 250,
        laps: 21,
        target: 0.8,
    },
    Lap {
        synchronous: Synchronous::Full,
        in_place: false,
        runs: MANY,
        steps: 30,
        laps: 7,
        target: 3.5,
    },
    Lap {
        synchronous: Synchronous::Normal,
        in_place: true,
        runs: 1,
        steps: 250,
        laps: 61,
        target: 0.6,
    },
    // Long enough that both sides move their write-ahead log several times.
    Lap {
        synchronous: Synchronous::Normal,
        in_place: true,
        runs: 1,
        steps: 4000,
        laps: 7,
        target: 0.6,
    },
    Lap {
        synchronous: Synchronous::Normal,
        in_place: false,
        runs: MANY,
        steps: 250,
        laps: 15,
        target: 0.9,
    },
];

fn main() {
    if !env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    assert_fair(&runtime);
    println!(
        "synchronous       runs  steps{:>13}{:>14}{:>8}   committed steps",
        "by hand", "store", "ratio"
    );
    LAPS.iter().for_each(|lap| print_speed(&runtime, *lap));
    print_size(&runtime);
    print_resumption(&runtime);
}

/// Both end in the same state.
fn assert_fair(runtime: &Runtime) {
    let folder = TempDir::new().expect("a folder");
    let table = Table::open(&folder.path().join("hand.db"), Synchronous::Normal);
    let (state, prompts) = by_hand(&replies(STEPS, true), &table);
    let path = folder.path().join("store.db");
    let store = open(&path, Synchronous::Normal);
    assert_eq!([state], *on_store(runtime, &store, &replies(STEPS, true), 1));
    println!("prompts of {} bytes", prompts / (STEPS + 1));
}

fn open(path: &Path, synchronous: Synchronous) -> SqliteStore {
    SqliteStore::options().synchronous(synchronous).open(path).expect("a store")
}

/// Runs this many runs concurrently on one thread.
fn on_store(
    runtime: &Runtime,
    store: &SqliteStore,
    replies: &[String],
    runs: usize,
) -> Vec<BuilderState> {
    let run = |number: usize| {
        let runner = DsBuilder::runner().model(Prepared::new(replies.to_vec()));
        runner.store(store.clone()).run_id(&*format!("run-{number}")).run(BuilderState::default())
    };
    let runs = runtime.block_on(join_all((0..runs).map(run)));
    runs.into_iter().map(|run| run.expect("it runs").state).collect()
}

/// Both sides take turns, so that other load affects them equally. The result is the median ratio of
/// consecutive laps.
fn print_speed(runtime: &Runtime, lap: Lap) {
    let (mut hand, mut store, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let Lap { synchronous, in_place, runs, steps, laps, target } = lap;
    let replies = replies(steps, true);
    let a_second = |time: Duration| (runs * (steps + 1)) as f64 / time.as_secs_f64();
    for _ in 0..laps {
        let folder = TempDir::new().expect("a folder");
        let table = Table::open(&folder.path().join("hand.db"), synchronous);
        let by_hand = || (0..runs).for_each(|_| drop(by_hand(&replies, &table)));
        let by_hand = a_second(time(by_hand));
        let options = SqliteStore::options().synchronous(synchronous);
        let options = if in_place { options.block_in_place() } else { options };
        let opened = options.open(folder.path().join("store.db")).expect("a store");
        let on_store = a_second(time(|| on_store(runtime, &opened, &replies, runs)));
        hand.push(by_hand);
        store.push(on_store);
        ratios.push(on_store / by_hand);
    }
    let name = format!("{synchronous:?}").to_uppercase() + if in_place { ", in place" } else { "" };
    let (hand, store, ratio) = (median(hand), median(store), median(ratios));
    println!(
        "{name:<16}{runs:>6}{steps:>7}{hand:>11.0}/s{store:>12.0}/s{ratio:>8.2}   (at least {target})"
    );
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print_size(runtime: &Runtime) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.db");
    let store = open(&path, Synchronous::Normal);
    on_store(runtime, &store, &replies(STEPS, true), 1);
    let said = runtime.block_on(said(&store));
    drop(store);
    let size = fs::metadata(&path).expect("a file").len();
    let ratio = size as f64 / said as f64;
    println!(
        "size: {said} bytes of replies and different texts, {size} in the file: {ratio:.2} (at most 3)"
    );
}

/// The bytes of all replies, and of the texts of prompts, each counted once.
async fn said(store: &SqliteStore) -> usize {
    let run: RunId = "run-0".parse().expect("a name");
    let entries = store.entries(&run, 0, usize::MAX).await.expect("a journal");
    let mut texts = BTreeSet::new();
    let mut bytes = replies(STEPS, true).iter().map(String::len).sum();
    for entry in entries {
        let Record::Event(event) = entry.record else { continue };
        for segment in
            event.asked.iter().flat_map(|asked| asked.prompt.iter().flat_map(|all| all.iter()))
        {
            if texts.insert(segment.text.clone()) {
                bytes += segment.text.len();
            }
        }
    }
    bytes
}

/// The time from opening the store to the next call.
fn print_resumption(runtime: &Runtime) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.db");
    go_on_until_silent(runtime, &path, replies(STEPS, false));
    let resume = || time(|| go_on_until_silent(runtime, &path, Vec::new())).as_secs_f64() * 1e3;
    let millis = median((0..15).map(|_| resume()).collect());
    println!("resumption: {millis:.2} ms (under 50)");
}

fn go_on_until_silent(runtime: &Runtime, path: &Path, replies: Vec<String>) {
    let store = open(path, Synchronous::Normal);
    let model = Prepared::new(replies);
    let silent = Arc::clone(&model.silent);
    let runner = DsBuilder::runner().model(model).store(store).run_id("run");
    runtime.block_on(async {
        tokio::select! {
            run = runner.run(BuilderState::default()) => panic!("it ended: {run:?}"),
            () = silent.notified() => {}
        }
    });
}
