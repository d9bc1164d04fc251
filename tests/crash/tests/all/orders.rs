//! Branches in programs that are killed: each run ends like one of a program that lives, what is made once is
//! made at most once, and no call that was answered is repeated.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Duration,
};

use cot_core::{
    Event,
    store::{Record, RunId, Store},
};
use cot_crash_tests::orders::ORDERS;
use cot_sqlite::SqliteStore;

use crate::worker;

const SEED: u64 = 29;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn branches_repeat_no_answered_call_and_make_none_twice_that_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = (folder.path().join("runs.sqlite"), folder.path().join("calls"));
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut answers = Answers::default();
    let mut repeated = 0;
    for kills in 0..worker::kills(60) {
        let before = calls(&file);
        let mut child = worker::start_ordering(&database, &file);
        let more = random.usize(0..=8);
        while calls(&file).len() <= before.len() + more {
            assert!(child.try_wait().unwrap().is_none(), "the work was done after {kills} kills");
            tokio::time::sleep(Duration::from_micros(300)).await;
        }
        tokio::time::sleep(Duration::from_micros(random.u64(0..6000))).await;
        child.kill().await.unwrap();
        repeated += check_life(&calls(&file), before.len(), &answers);
        let earlier = answers;
        answers = Answers::read(&database).await;
        assert!(earlier.answered.is_subset(&answers.answered), "an answer is gone");
    }
    let before = calls(&file).len();
    let output = worker::start_ordering(&database, &file).wait_with_output().await.unwrap();
    assert!(output.status.success(), "{}", worker::complaint(&output));
    repeated += check_life(&calls(&file), before, &answers);

    let mut once: BTreeMap<String, u32> = BTreeMap::new();
    for call in calls(&file).into_iter().filter(|call| call.starts_with("once ")) {
        *once.entry(call).or_default() += 1;
    }
    assert!(once.values().all(|count| *count == 1), "{once:?}");
    let answers = Answers::read(&database).await;
    check_ends(&String::from_utf8(output.stdout).unwrap(), &answers);
    let of_tools = answers.interrupted.iter().filter(|key| key.contains("+tool-")).count();
    let of_functions = answers.interrupted.len() - of_tools;
    println!("{repeated} repeated, {of_functions} + {of_tools} interrupted");
    // What a kill hits is chance: few kills may miss calls of a kind.
    let all_kinds = repeated > 0 && of_functions > 0 && of_tools > 0;
    assert!(all_kinds || !worker::is_long(), "the kills hit too few calls");
}

/// Checks that no call after the first `before` was answered earlier or is made twice. Returns how many of
/// them repeat a call of an earlier life.
fn check_life(calls: &[String], before: usize, earlier: &Answers) -> usize {
    let (past, present) = calls.split_at(before);
    let past: BTreeSet<_> = past.iter().collect();
    let mut seen = BTreeSet::new();
    for call in present {
        let (_, key) = call.split_once(' ').unwrap();
        assert!(!earlier.answered.contains(key), "{key} was answered, and is called again");
        assert!(!earlier.interrupted.contains(key), "{key} was interrupted, and is called again");
        assert!(seen.insert(key), "{key} is called twice in one life");
    }
    present.iter().filter(|call| past.contains(call)).count()
}

/// Checks that each run has ended with what all its branches do.
fn check_ends(ends: &str, answers: &Answers) {
    let ends: BTreeSet<_> = ends.lines().collect();
    let expected: BTreeSet<_> = (0..ORDERS)
        .map(|number| {
            let is_charged = !answers.interrupted.contains(&format!("order-{number}/charge#1"));
            let is_reserved =
                !answers.interrupted.contains(&format!("order-{number}/write#1+tool-3"));
            let letter = if is_reserved { "on its way" } else { "sorry" };
            format!("order-{number}: charged {is_charged}, 3 mails, {letter}")
        })
        .collect();
    assert_eq!(ends, expected.iter().map(String::as_str).collect());
}

fn calls(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The calls with an event in the journals, by their keys without the number of the attempt.
#[derive(Default)]
struct Answers {
    answered: BTreeSet<String>,
    interrupted: BTreeSet<String>,
}

impl Answers {
    async fn read(database: &Path) -> Self {
        let store = SqliteStore::open(database).unwrap();
        let mut answers = Self::default();
        for number in 0..ORDERS {
            let run: RunId = format!("order-{number}").parse().unwrap();
            if store.run(&run).await.unwrap().is_none() {
                continue;
            }
            for entry in store.entries(&run, 0, usize::MAX).await.unwrap() {
                let Record::Event(record) = entry.record else { continue };
                let key = record.asked.unwrap().key.to_string().replace("@1", "");
                let key = format!("{run}/{key}");
                match record.event {
                    Event::Started { .. } => {}
                    Event::Replied { .. } | Event::Ran { .. } => {
                        assert!(answers.answered.insert(key.clone()), "{key} is answered twice");
                    }
                    Event::Interrupted { .. } => {
                        assert!(answers.interrupted.insert(key));
                    }
                    other => panic!("{key}: {other:?}"),
                }
            }
        }
        assert!(answers.answered.is_disjoint(&answers.interrupted));
        answers
    }
}
