//! What the checks have in common.

use std::fmt::Debug;

use cot_store::{Entry, Lease, Record, RunId, Store, StoreError};

#[track_caller]
pub(super) fn id(name: &str) -> RunId {
    ok(name.parse(), "make a name")
}

#[track_caller]
pub(super) fn ok<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&format!("the store failed to {what}: {error:?}")),
    }
}

/// The error, which is of this kind.
#[track_caller]
pub(super) fn refused<T: Debug>(
    result: Result<T, StoreError>,
    is_right: impl Fn(&StoreError) -> bool,
    expected: &str,
) {
    match result {
        Err(error) if is_right(&error) => {}
        other => fail(&format!("expected {expected}, got {other:?}")),
    }
}

#[track_caller]
pub(super) fn unknown<T: Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::UnknownRun { .. }), "`UnknownRun`");
}

#[track_caller]
pub(super) fn leased<T: Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::Leased { .. }), "`Leased`");
}

#[expect(clippy::panic, reason = "it is called by tests, and fails like one")]
#[track_caller]
pub(super) fn fail(why: &str) -> ! {
    panic!("{why}")
}

pub(super) async fn acquire(store: &dyn Store, run: &RunId) -> Lease {
    ok(store.acquire(run).await, "acquire a run that nobody drives")
}

pub(super) async fn append(store: &dyn Store, lease: &Lease, records: Vec<Record>) {
    ok(store.append(lease, records).await, "append records");
}

/// A run with these records, and its lease.
pub(super) async fn run_of(store: &dyn Store, name: &str, records: Vec<Record>) -> (RunId, Lease) {
    let run = id(name);
    let lease = acquire(store, &run).await;
    append(store, &lease, records).await;
    (run, lease)
}

/// The entries of a run, all of them.
pub(super) async fn entries(store: &dyn Store, run: &RunId) -> Vec<Entry> {
    ok(store.entries(run, 0, usize::MAX).await, "read all entries")
}

/// What a record says.
#[track_caller]
pub(super) fn text(record: &Record) -> String {
    ok(serde_json::to_string(record), "write a record as JSON")
}

/// That a run holds these records, and no others.
#[track_caller]
pub(super) fn same(entries: &[Entry], records: &[Record]) {
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    let expected: Vec<u64> = (0..).take(records.len()).collect();
    assert_eq!(numbers, expected, "entries are numbered from 0, without gaps");
    for (entry, record) in entries.iter().zip(records) {
        assert_eq!(text(&entry.record), text(record), "entry {} reads as written", entry.number);
    }
}
