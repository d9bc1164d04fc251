//! What any store has to do, as tests.

mod answers;
mod journals;
mod leases;
mod records;
mod summaries;

use std::fmt::Debug;

use crate::store::{Entry, Lease, Record, RunId, Store, StoreError};

/// Checks that a store keeps the contract of the trait [`Store`]. Each call of `open` gives a store of its
/// own, without runs.
///
/// What a store alone can know is left to its own tests: that runs are there after it was opened again, that
/// a lease ends with its program, that nothing is lost when the power is.
///
/// ```
/// use cot_core::{store::MemoryStore, testing::check_store};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(
/// check_store(async || MemoryStore::default())
/// # );
/// ```
///
/// # Panics
///
/// As a test does, when the store does anything else.
pub async fn check_store<S: Store>(open: impl AsyncFn() -> S) {
    journals::begin_with_their_beginning(&open().await).await;
    journals::keep_the_order(&open().await).await;
    journals::take_all_records_or_none(&open().await).await;
    journals::give_back_what_they_were_given(&open().await).await;
    journals::keep_times_to_the_millisecond(&open().await).await;
    journals::take_big_records(&open().await).await;
    journals::know_where_they_can_be_read_from(&open().await).await;
    journals::grow_at_the_same_time(&open().await).await;
    journals::are_forgotten(&open().await).await;

    leases::are_given_to_one(&open().await).await;
    leases::are_given_to_one_of_many(&open().await).await;
    leases::have_another_epoch_each_time(&open().await).await;

    summaries::say_what_the_journal_says(&open().await).await;
    summaries::count_costs_that_are_none_as_nothing(&open().await).await;
    summaries::follow_events(&open().await).await;
    summaries::are_filtered(&open().await).await;
    summaries::count_in_milliseconds(&open().await).await;
    summaries::tell_of_forks(&open().await).await;

    answers::are_for_what_is_asked(&open().await).await;
    answers::fit_the_schema(&open().await).await;
    answers::are_found_and_waited_for(&open().await).await;
    answers::are_replaced(&open().await).await;
    answers::are_taken_by_the_event(&open().await).await;
}

#[track_caller]
fn id(name: &str) -> RunId {
    ok(name.parse(), "make a name")
}

#[track_caller]
fn ok<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&format!("the store failed to {what}: {error:?}")),
    }
}

/// The error, which is of this kind.
#[track_caller]
fn refused<T: Debug>(
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
fn unknown<T: Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::UnknownRun { .. }), "`UnknownRun`");
}

#[track_caller]
fn leased<T: Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::Leased { .. }), "`Leased`");
}

#[expect(clippy::panic, reason = "it is called by tests, and fails like one")]
#[track_caller]
fn fail(why: &str) -> ! {
    panic!("{why}")
}

async fn acquire(store: &dyn Store, run: &RunId) -> Lease {
    ok(store.acquire(run).await, "acquire a run that nobody drives")
}

async fn append(store: &dyn Store, lease: &Lease, records: Vec<Record>) {
    ok(store.append(lease, records).await, "append records");
}

/// A run with these records, and its lease.
async fn run_of(store: &dyn Store, name: &str, records: Vec<Record>) -> (RunId, Lease) {
    let run = id(name);
    let lease = acquire(store, &run).await;
    append(store, &lease, records).await;
    (run, lease)
}

/// The entries of a run, all of them.
async fn entries(store: &dyn Store, run: &RunId) -> Vec<Entry> {
    ok(store.entries(run, 0, usize::MAX).await, "read all entries")
}

/// What a record says.
#[track_caller]
fn text(record: &Record) -> String {
    ok(serde_json::to_string(record), "write a record as JSON")
}

/// That a run holds these records, and no others.
#[track_caller]
fn same(entries: &[Entry], records: &[Record]) {
    let numbers: Vec<u64> = entries.iter().map(|entry| entry.number).collect();
    let expected: Vec<u64> = (0..).take(records.len()).collect();
    assert_eq!(numbers, expected, "entries are numbered from 0, without gaps");
    for (entry, record) in entries.iter().zip(records) {
        assert_eq!(text(&entry.record), text(record), "entry {} reads as written", entry.number);
    }
}
