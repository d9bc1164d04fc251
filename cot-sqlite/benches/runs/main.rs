//! What it costs to keep a run in a database, beside a loop by hand that adds a row per step: committed
//! steps a second, the size of the file, and the time to go on with a run.
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
use tempfile::TempDir;
use tokio::runtime::{self, Runtime};

use self::{
    by_hand::{Table, by_hand},
    process::{BuilderState, DsBuilder, Prepared, replies},
};

/// How many steps a run has whose size and resumption are measured; with its end, one more.
const STEPS: usize = 1000;
/// How many steps are measured before the other has its turn: few, as disks are quick and slow by turns.
const LAP: usize = 250;

fn main() {
    if !env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    assert_fair(&runtime);
    println!("synchronous{:>14}{:>16}{:>9}   committed steps", "by hand", "store", "ratio");
    for (synchronous, laps) in [(Synchronous::Full, 21), (Synchronous::Normal, 61)] {
        print_speed(&runtime, synchronous, laps);
    }
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
    assert_eq!(state, on_store(runtime, &store, replies(STEPS, true)));
    println!("prompts of {} bytes", prompts / (STEPS + 1));
}

fn open(path: &Path, synchronous: Synchronous) -> SqliteStore {
    SqliteStore::options().synchronous(synchronous).open(path).expect("a store")
}

fn on_store(runtime: &Runtime, store: &SqliteStore, replies: Vec<String>) -> BuilderState {
    let model = Prepared::new(replies);
    let runner = DsBuilder::runner().model(model).store(store.clone()).run_id("run");
    runtime.block_on(runner.run(BuilderState::default())).expect("it runs").state
}

/// They take turns, so that whatever else the computer does hits both. The ratio is that of laps that follow
/// each other, in the median.
fn print_speed(runtime: &Runtime, synchronous: Synchronous, laps: usize) {
    let (mut hand, mut store, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let replies = replies(LAP, true);
    for _ in 0..laps {
        let folder = TempDir::new().expect("a folder");
        let table = Table::open(&folder.path().join("hand.db"), synchronous);
        let by_hand = a_second(time(|| by_hand(&replies, &table)));
        let opened = open(&folder.path().join("store.db"), synchronous);
        let replies = replies.clone();
        let on_store = a_second(time(|| on_store(runtime, &opened, replies)));
        hand.push(by_hand);
        store.push(on_store);
        ratios.push(on_store / by_hand);
    }
    let name = format!("{synchronous:?}").to_uppercase();
    let (hand, store, ratio) = (median(hand), median(store), median(ratios));
    println!("{name:<11}{hand:>12.0}/s{store:>14.0}/s{ratio:>9.2}   (at least 0.70)");
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

/// Steps a second.
fn a_second(lap: Duration) -> f64 {
    (LAP + 1) as f64 / lap.as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print_size(runtime: &Runtime) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.db");
    let store = open(&path, Synchronous::Normal);
    on_store(runtime, &store, replies(STEPS, true));
    let said = runtime.block_on(said(&store));
    drop(store);
    let size = fs::metadata(&path).expect("a file").len();
    let ratio = size as f64 / said as f64;
    println!(
        "size: {said} bytes of replies and different texts, {size} in the file: {ratio:.2} (at most 3)"
    );
}

/// The bytes of all replies, and of the texts that prompts are made of, each counted once.
async fn said(store: &SqliteStore) -> usize {
    let run: RunId = "run".parse().expect("a name");
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

/// From the opening of the store to the call that comes next.
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
