//! What the journals of a database say, and whether it may be so.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use cot_core::{
    Event, RunEvent,
    store::{Entry, Record, RunId, Status, Store},
};
use cot_crash_tests::{Count, RUNS, STEPS};
use cot_sqlite::SqliteStore;

use crate::server::{Call, Step};

/// More than any journal of these tests has.
const ALL: usize = 100_000;

/// What the journals of all runs say.
pub(crate) struct Ledger {
    /// The steps whose replies are journaled.
    pub(crate) replies: BTreeSet<Step>,
    /// How many outputs are committed.
    pub(crate) commits: usize,
    /// How many runs have come to their end.
    pub(crate) ended: usize,
}

impl Ledger {
    /// Reads all journals. No reply may be in them twice, and no step may be committed twice.
    pub(crate) async fn read(database: &Path) -> Self {
        let store = SqliteStore::open(database).unwrap();
        let mut ledger = Self { replies: BTreeSet::new(), commits: 0, ended: 0 };
        for run in 0..RUNS {
            let id: RunId = format!("run-{run}").parse().unwrap();
            if let Some(summary) = store.run(&id).await.unwrap() {
                let entries = store.entries(&id, 0, ALL).await.unwrap();
                ledger.add(run, &entries);
                ledger.ended += usize::from(summary.status.is_ended());
            }
        }
        ledger
    }

    fn add(&mut self, run: u32, entries: &[Entry]) {
        let mut committed = 0;
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(entry.number, place as u64, "run {run} has a gap");
            match &entry.record {
                Record::Submitted(_) => assert_eq!(place, 0, "run {run} is submitted twice"),
                Record::Begun(_) => {
                    let was_submitted = matches!(entries[0].record, Record::Submitted(_));
                    assert_eq!(place, usize::from(was_submitted), "run {run} begins twice");
                }
                Record::Event(event) => {
                    let Event::Replied { reply, .. } = &event.event else {
                        panic!("run {run}: {event:?}");
                    };
                    let Count { number } = serde_json::from_str(&reply.text).unwrap();
                    assert!(self.replies.insert((run, number)), "run {run} step {number} twice");
                }
                Record::Step(step) => {
                    let commits = |note: &&RunEvent| matches!(note, RunEvent::Committed { .. });
                    committed += step.notes.iter().filter(commits).count();
                    if let Status::Ended { how, why, .. } = &step.status {
                        assert_eq!((how.word(), why.as_str()), ("end", ""), "run {run}");
                        assert_eq!(committed, STEPS as usize, "run {run}");
                    }
                }
            }
        }
        assert!(committed <= STEPS as usize, "run {run} has {committed} commits");
        self.commits += committed;
    }
}

/// Checks what was asked in one life of the program, between two readings of its journals: nothing that was
/// journaled, and one call of a run at a time. Gives how many of the calls were lost as it died.
pub(crate) fn check_life(life: usize, asked: &[Call], before: &Ledger, after: &Ledger) -> usize {
    assert!(before.replies.is_subset(&after.replies), "a journaled reply is gone");
    let mut seen = BTreeSet::new();
    let mut in_flight: BTreeMap<u32, usize> = BTreeMap::new();
    for call in asked.iter().filter(|call| call.life == life) {
        let step = call.step;
        assert!(!before.replies.contains(&step), "{step:?} was journaled, and asked for again");
        assert!(seen.insert(step), "{step:?} was asked for twice in one life");
        if !after.replies.contains(&step) {
            *in_flight.entry(step.0).or_default() += 1;
        }
    }
    assert!(in_flight.values().all(|calls| *calls == 1), "a run had two calls: {in_flight:?}");
    in_flight.len()
}
