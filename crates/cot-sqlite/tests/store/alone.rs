//! A run that is alone in its store and writes in place.

use std::{fs, pin::pin};

use cot_core::store::{Lease, Record, Store, StoreError};
use cot_sqlite::{SqliteStore, Synchronous};
use futures_util::{FutureExt, future::poll_immediate};

use crate::kit::{Place, begun, changed, describe_panic, entries, id, replied, run_of};

/// Returns whether the write is done at the first poll of the future. It is done in any case.
fn is_written_at_once(store: &SqliteStore, lease: &Lease, record: Record) -> bool {
    store.append(lease, vec![record]).now_or_never().is_some_and(|written| written.is_ok())
}

#[tokio::test]
async fn it_does_not_wait_for_a_thread() {
    let options = SqliteStore::options();
    let normal = options.clone().synchronous(Synchronous::Normal);
    for options in [normal, options.block_in_place()] {
        let place = Place::new();
        let store = options.open(&place.path).unwrap();
        let (run, lease) = run_of(&store, "run", vec![begun()]).await;
        assert!((1..=100).all(|step| is_written_at_once(&store, &lease, changed(step))));
        assert_eq!(entries(&store, &run).await.len(), 101);
    }
}

/// Waiting would block the executor.
#[tokio::test]
async fn it_leaves_the_waiting_for_other_programs_to_a_thread() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    assert!(is_written_at_once(&store, &lease, changed(1)));
    let before = entries(&store, &run).await.len();

    let other = place.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut append = pin!(store.append(&lease, vec![changed(2)]));
    assert!(poll_immediate(&mut append).await.is_none());
    other.execute_batch("COMMIT").unwrap();
    append.await.unwrap();
    assert_eq!(entries(&store, &run).await.len(), before + 1);
}

/// Other connections may have written meanwhile; the caches notice it.
#[tokio::test]
async fn it_loses_its_lease_as_any_run_does() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    assert!(is_written_at_once(&store, &lease, changed(1)));
    let before = entries(&store, &run).await.len();
    place.sql().execute("DELETE FROM leases", []).unwrap();
    let lost = store.append(&lease, vec![changed(2)]).await.unwrap_err();
    assert!(matches!(lost, StoreError::LeaseLost { .. }), "{}", describe_panic(&lost));
    assert_eq!(entries(&store, &run).await.len(), before);
}

#[tokio::test]
async fn it_keeps_the_log_short() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    for _ in 0..3000 {
        let reply = replied("a#1@1", "x", &"y".repeat(10_000));
        store.append(&lease, vec![reply]).await.unwrap();
    }
    let log = fs::metadata(place.path.with_extension("db-wal")).unwrap().len();
    assert!(log < 30_000_000, "{log} bytes");
    assert_eq!(entries(&store, &run).await.len(), 3001);
}

/// Two runs share the thread, and the order of their tasks is kept.
#[tokio::test]
async fn it_is_alone_no_longer_when_another_comes() {
    let place = Place::new();
    let store = place.open();
    let (first, lease) = run_of(&store, "first", vec![begun()]).await;
    assert!(is_written_at_once(&store, &lease, changed(1)));
    let (second, other) = run_of(&store, "second", vec![begun()]).await;
    let before = entries(&store, &first).await.len();
    let (one, two) = tokio::join!(
        store.append(&lease, vec![changed(2)]),
        store.append(&other, vec![changed(1)])
    );
    one.and(two).unwrap();
    drop(other);
    let (one, two) = tokio::join!(
        store.append(&lease, vec![changed(3)]),
        store.append(&lease, vec![changed(4)])
    );
    one.and(two).unwrap();
    let last = entries(&store, &first).await.split_off(before);
    let steps = last.iter().map(|entry| match &entry.record {
        Record::Step(step) => step.steps,
        _ => 0,
    });
    assert_eq!(steps.collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(entries(&store, &second).await.len(), 2);
    assert!(store.run(&id("second")).await.unwrap().is_some_and(|run| !run.is_driven));
}
