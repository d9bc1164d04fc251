//! Helpers of the checks.

use std::fmt::Debug;

use cot_store::{Entry, Lease, Record, RunId, Store, StoreError};

#[track_caller]
pub(super) fn id(name: &str) -> RunId {
    ok(name.parse(), "parse a run id")
}

#[track_caller]
pub(super) fn ok<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&format!("the store failed to {what}: {error:?}")),
    }
}

/// Asserts that the result is an error of this kind.
#[track_caller]
pub(super) fn assert_error<T: Debug>(
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
pub(super) fn assert_unknown_run<T: Debug>(result: Result<T, StoreError>) {
    assert_error(result, |error| matches!(error, StoreError::UnknownRun { .. }), "`UnknownRun`");
}

#[track_caller]
pub(super) fn assert_leased<T: Debug>(result: Result<T, StoreError>) {
    assert_error(result, |error| matches!(error, StoreError::Leased { .. }), "`Leased`");
}

#[expect(clippy::panic, reason = "it is an assertion of tests")]
#[track_caller]
pub(super) fn fail(why: &str) -> ! {
    panic!("{why}")
}

pub(super) async fn acquire(store: &dyn Store, run: &RunId) -> Lease {
    ok(store.acquire(run).await, "acquire a run without a driver")
}

pub(super) async fn append(store: &dyn Store, lease: &Lease, records: Vec<Record>) {
    ok(store.append(lease, records).await, "append records");
}

/// Creates a run with these records. Returns its id and lease.
pub(super) async fn create_run(
    store: &dyn Store,
    name: &str,
    records: Vec<Record>,
) -> (RunId, Lease) {
    let run = id(name);
    let lease = acquire(store, &run).await;
    append(store, &lease, records).await;
    (run, lease)
}

/// Returns all entries of a run.
pub(super) async fn entries(store: &dyn Store, run: &RunId) -> Vec<Entry> {
    ok(store.entries(run, 0, usize::MAX).await, "read all entries")
}

/// Serializes a record.
#[track_caller]
pub(super) fn to_json(record: &Record) -> String {
    ok(serde_json::to_string(record), "write a record as JSON")
}

/// Asserts that a run contains exactly these records.
#[track_caller]
pub(super) fn assert_records(entries: &[Entry], records: &[Record]) {
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    let expected: Vec<u64> = (0..).take(records.len()).collect();
    assert_eq!(numbers, expected, "entries are numbered from 0, without gaps");
    for (entry, record) in entries.iter().zip(records) {
        assert_eq!(to_json(&entry.record), to_json(record), "entry {} has changed", entry.number);
    }
}
