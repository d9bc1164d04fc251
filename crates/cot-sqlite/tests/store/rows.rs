//! The row of a running run may be older than its journal.

use std::slice;

use cot_core::store::{Lease, Record, RunFilter, RunSummary, Store};
use cot_sqlite::SqliteStore;

use crate::kit::{Place, at, begun, changed, entries, replied, run_of, running, whole};

fn entries_in_row(place: &Place) -> i64 {
    place.sql().query_row("SELECT entries FROM runs", [], |row| row.get(0)).unwrap()
}

/// A run in the middle of a step, whose row lacks the last entries.
async fn in_a_step(store: &SqliteStore) -> (RunSummary, Lease) {
    let (run, lease) = run_of(store, "run", vec![begun()]).await;
    store.append(&lease, vec![whole(1, running()), replied("a#1@1", "x", "{}")]).await.unwrap();
    store.append(&lease, vec![changed(2), replied("a#2@1", "y", "{}")]).await.unwrap();
    (store.run(&run).await.unwrap().unwrap(), lease)
}

#[tokio::test]
async fn a_summary_is_of_the_last_entry_though_the_row_is_not() {
    let place = Place::new();
    let store = place.open();
    let (summary, lease) = in_a_step(&store).await;
    assert_eq!(entries_in_row(&place), 1);
    assert_eq!((summary.entries, summary.steps, summary.usage.input_tokens), (5, 2, 200));
    assert_eq!(store.runs(&RunFilter::default()).await.unwrap(), slice::from_ref(&summary));

    // The row is up to date when the run waits.
    store.append(&lease, vec![whole(3, running())]).await.unwrap();
    assert_eq!(entries_in_row(&place), 6);
}

#[tokio::test]
async fn whoever_takes_over_goes_on_after_the_last_entry() {
    let place = Place::new();
    let store = place.open();
    let (summary, lease) = in_a_step(&store).await;
    drop((lease, store));
    let store = place.open();
    let lease = store.acquire(&summary.run).await.unwrap();
    store.append(&lease, vec![whole(3, running())]).await.unwrap();
    let numbers: Vec<u64> =
        entries(&store, &summary.run).await.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    assert_eq!(store.run(&summary.run).await.unwrap().unwrap().steps, 3);
}

#[tokio::test]
async fn filters_look_at_the_last_entry() {
    let place = Place::new();
    let store = place.open();
    let (old, _lease) = run_of(&store, "old", vec![begun()]).await;
    let (_, lease) = run_of(&store, "busy", vec![begun()]).await;
    let mut reply = replied("a#1@1", "x", "{}");
    if let Record::Event(event) = &mut reply {
        event.at = at(9);
    }
    store.append(&lease, vec![changed(9), reply]).await.unwrap();
    let mut filter = RunFilter::default();
    (filter.updated_before, filter.limit) = (Some(at(1)), Some(1));
    let runs = store.runs(&filter).await.unwrap();
    assert_eq!(runs.iter().map(|run| &run.run).collect::<Vec<_>>(), [&old]);
}

#[tokio::test]
async fn a_row_is_written_now_and_then() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun(), whole(1, running())]).await;
    for step in 2..200 {
        let records = vec![changed(step), replied("a#1@1", "x", "{}")];
        store.append(&lease, records).await.unwrap();
        let summary = store.run(&run).await.unwrap().unwrap();
        let behind = summary.entries.cast_signed() - entries_in_row(&place);
        assert!((0..=64).contains(&behind), "{behind} entries at step {step}");
        assert_eq!(summary.steps, step);
    }
}
