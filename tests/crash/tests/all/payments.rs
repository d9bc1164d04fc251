//! Calls with effects in programs that are killed: what is made once is made at most once, and a sink that
//! performs each key once performs each repeatable call once. Connections are lost after the effect, and the program is
//! replaced by its next version.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Duration,
};

use cot_core::store::{RunFilter, RunHistory, Store};
use cot_crash_tests::payments::PAYMENTS;
use cot_sqlite::SqliteStore;

use crate::worker;

const SEED: u64 = 17;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_that_is_made_once_is_made_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = (folder.path().join("runs.sqlite"), folder.path().join("calls"));
    let mut random = fastrand::Rng::with_seed(SEED);
    let all_kills = worker::kills(150);
    for kills in 0..all_kills {
        let before = calls(&file).len();
        // The program is replaced by its next version in the middle of the work.
        let version = if kills < all_kills / 2 { "pay" } else { "collect" };
        let mut child = worker::start_paying(&database, &file, version);
        // Few enough calls in each life that so many lives can't finish the work.
        let more = random.usize(0..=2);
        while calls(&file).len() <= before + more {
            assert!(child.try_wait().unwrap().is_none(), "the work was done after {kills} kills");
            tokio::time::sleep(Duration::from_micros(300)).await;
        }
        tokio::time::sleep(Duration::from_micros(random.u64(0..4000))).await;
        child.kill().await.unwrap();
    }
    let output =
        worker::start_paying(&database, &file, "collect").wait_with_output().await.unwrap();
    assert!(output.status.success(), "{}", worker::complaint(&output));

    let mut made: BTreeMap<String, u32> = BTreeMap::new();
    for call in calls(&file) {
        *made.entry(call).or_default() += 1;
    }
    let of = |effect: &str| {
        let made = made.iter().filter(|(call, _)| call.starts_with(effect));
        made.map(|(call, count)| (call.clone(), *count)).collect::<Vec<_>>()
    };
    let (once, repeatable) = (of("once "), of("repeatable "));
    assert!(once.iter().all(|(_, count)| *count == 1), "{once:?}");
    // Neither does the next version make it under another key.
    let runs = once.iter().filter_map(|(call, _)| call.split('/').next());
    assert_eq!(runs.collect::<BTreeSet<_>>().len(), once.len(), "{once:?}");
    // An idempotent service sees one key for each run, however often it is called.
    assert_eq!(repeatable.len(), PAYMENTS as usize);
    let repeated = repeatable.iter().filter(|(_, count)| *count > 1).count();

    let (known, interrupted) = outcomes(&database).await;
    assert_eq!(known + interrupted, PAYMENTS as usize);
    // What a kill hits is chance: few kills may miss calls of a kind.
    assert!(!worker::is_long() || repeated > 0 && interrupted > 0, "the kills hit too few calls");
    // A call may have been announced and not made: then nothing was recorded.
    assert!(once.len() >= known && once.len() <= PAYMENTS as usize, "{} of {known}", once.len());
    println!("{known} known, {interrupted} interrupted, {repeated} repeated");
}

fn calls(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// How many charges are known to be made, and how many were interrupted.
async fn outcomes(database: &Path) -> (usize, usize) {
    let store = SqliteStore::open(database).unwrap();
    let (mut known, mut interrupted) = (0, 0);
    for run in store.runs(&RunFilter::default()).await.unwrap() {
        assert_eq!(run.status.word(), "end", "{run}");
        let history = RunHistory::load(&store, &run.run).await.unwrap().unwrap();
        match format!("{history}").contains("interrupted") {
            true => interrupted += 1,
            false => known += 1,
        }
    }
    (known, interrupted)
}
