//! Journals: what is added, and what is read.

use std::time::{Duration, UNIX_EPOCH};

use cot_engine::Event;
use cot_store::{Record, RunFilter, Store, StoreError};
use futures_util::future::join_all;

use super::{
    records::{
        all_events, answered, asking, at, begun, changed, ended, event, in_the_millisecond_of, key,
        replied, running, sleeping, timed, whole,
    },
    support::{acquire, append, entries, id, leased, ok, refused, run_of, same, unknown},
};

pub(super) async fn begin_with_their_beginning(store: &dyn Store) {
    let run = id("new");
    let lease = acquire(store, &run).await;
    assert_eq!(ok(store.run(&run).await, "look"), None, "a run exists from its first entry on");
    assert!(
        ok(store.runs(&RunFilter::default()).await, "list").is_empty(),
        "a run that has not begun is listed"
    );
    assert_eq!(ok(store.last_full_snapshot(&run, u64::MAX).await, "look"), None);
    unknown(store.entries(&run, 0, 10).await);
    unknown(store.append(&lease, vec![whole(1), begun()]).await);
    unknown(store.entries(&run, 0, 10).await);
    append(store, &lease, Vec::new()).await;
    unknown(store.entries(&run, 0, 10).await);
    append(store, &lease, vec![begun()]).await;
    same(&entries(store, &run).await, &[begun()]);
    assert!(ok(store.run(&run).await, "look").is_some(), "a run exists from its first entry on");
}

pub(super) async fn keep_the_order(store: &dyn Store) {
    let (run, lease) = run_of(store, "ordered", vec![begun()]).await;
    let mut records = vec![begun()];
    for round in 0..20 {
        let more = vec![replied("a#1@1", &format!("reply {round}")), changed(round, running("a"))];
        append(store, &lease, more.clone()).await;
        records.extend(more);
    }
    same(&entries(store, &run).await, &records);
    let numbers = async |from, limit| -> Vec<u64> {
        let page = ok(store.entries(&run, from, limit).await, "read some entries");
        page.iter().map(|entry| entry.number).collect()
    };
    assert_eq!(numbers(0, 3).await, [0, 1, 2]);
    assert_eq!(numbers(7, 4).await, [7, 8, 9, 10]);
    assert_eq!(numbers(39, 100).await, [39, 40]);
    assert!(numbers(41, 100).await.is_empty(), "there is nothing beyond the end");
    assert!(numbers(u64::MAX, 100).await.is_empty(), "there is nothing beyond the end");
    assert!(numbers(3, 0).await.is_empty(), "none were asked for");
}

pub(super) async fn take_all_records_or_none(store: &dyn Store) {
    let (run, lease) = run_of(store, "whole", vec![begun()]).await;
    let exists = |error: &StoreError| matches!(error, StoreError::RunExists { .. });
    let twice = vec![whole(1), replied("a#1@1", "x"), begun()];
    refused(store.append(&lease, twice).await, exists, "`RunExists` for a second beginning");
    same(&entries(store, &run).await, &[begun()]);
    let summary = ok(store.run(&run).await, "look");
    assert_eq!(summary.map(|run| (run.entries, run.steps)), Some((1, 0)), "nothing was added");

    let other = id("other");
    let lease = acquire(store, &other).await;
    refused(
        store.append(&lease, vec![begun(), whole(1), begun()]).await,
        exists,
        "`RunExists` for two beginnings at once",
    );
    assert_eq!(ok(store.run(&other).await, "look"), None, "nothing was added");
}

pub(super) async fn give_back_what_they_were_given(store: &dyn Store) {
    let mut records = vec![begun(), whole(1)];
    records.extend(all_events());
    for status in [running("ä 'b' \"c\"\u{0}"), asking("a#1@1"), sleeping(), ended()] {
        records.push(changed(2, status));
    }
    let (run, _lease) = run_of(store, "a.b-c_d:1", records.clone()).await;
    same(&entries(store, &run).await, &records);

    let long = "x".repeat(200);
    let (run, _lease) = run_of(store, &long, records.clone()).await;
    same(&entries(store, &run).await, &records);
    let (run, _lease) = run_of(store, "A.B-C_D:1", vec![begun()]).await;
    same(&entries(store, &run).await, &[begun()]);
}

pub(super) async fn keep_times_to_the_millisecond(store: &dyn Store) {
    let records = || vec![begun(), answered("a#1@1"), changed(1, asking("a#1@1")), whole(2)];
    let timed = |time| records().into_iter().map(|record| timed(record, time)).collect::<Vec<_>>();
    let (run, _lease) = run_of(store, "timed", timed(in_the_millisecond_of(5, 999_999))).await;
    for (entry, kept) in entries(store, &run).await.iter().zip(timed(at(5))) {
        assert_eq!(entry.record.at(), at(5), "entry {}: times are rounded down", entry.number);
        assert_eq!(entry.record.status(), kept.status(), "entry {}", entry.number);
    }
    let early = UNIX_EPOCH - Duration::from_secs(1);
    let (run, _lease) = run_of(store, "early", timed(early)).await;
    for entry in entries(store, &run).await {
        assert_eq!(entry.record.at(), UNIX_EPOCH, "there is no time before 1970");
    }
}

pub(super) async fn take_big_records(store: &dyn Store) {
    let text = "0123456789ä\"\\\n".repeat(750_000);
    let reason = text.clone();
    let big = vec![begun(), replied("a#1@1", &text), event(Event::Cancelled { reason })];
    let (run, _lease) = run_of(store, "big", big.clone()).await;
    same(&entries(store, &run).await, &big);
}

pub(super) async fn know_where_they_can_be_read_from(store: &dyn Store) {
    let reply = || replied("a#1@1", "x");
    let records =
        vec![begun(), reply(), changed(1, running("a")), whole(2), reply(), whole(3), reply()];
    let (run, _lease) = run_of(store, "read", records).await;
    for (until, number) in [(0, 0), (1, 0), (2, 0), (3, 3), (4, 3), (5, 5), (6, 5), (u64::MAX, 5)] {
        let last = ok(store.last_full_snapshot(&run, until).await, "look for a whole snapshot");
        assert_eq!(last, Some(number), "the last whole snapshot up to entry {until}");
    }
}

pub(super) async fn grow_at_the_same_time(store: &dyn Store) {
    let grow = async |number: u64| {
        let (run, lease) = run_of(store, &format!("run-{number}"), vec![begun()]).await;
        for step in 1..=10 {
            let reply = replied(&format!("a#{step}@1"), &format!("reply {step} of {number}"));
            append(store, &lease, vec![reply, changed(step, running("a"))]).await;
            let last = ok(store.entries(&run, 2 * step, 5).await, "read while others write");
            assert_eq!(last.len(), 1, "whoever has written reads it");
        }
        drop(lease);
        let records = (1..=10).flat_map(|step| {
            let reply = replied(&format!("a#{step}@1"), &format!("reply {step} of {number}"));
            [reply, changed(step, running("a"))]
        });
        let records: Vec<Record> = std::iter::once(begun()).chain(records).collect();
        same(&entries(store, &run).await, &records);
    };
    join_all((0..40).map(grow)).await;
    let runs = ok(store.runs(&RunFilter::default()).await, "list runs");
    assert_eq!(runs.len(), 40, "all runs are there");
}

pub(super) async fn are_forgotten(store: &dyn Store) {
    unknown(store.remove(&id("gone")).await);
    let records = vec![begun(), whole(1), changed(2, asking("a#1@1"))];
    let (run, lease) = run_of(store, "gone", records.clone()).await;
    let (other, _lease) = run_of(store, "other", records.clone()).await;
    ok(store.put_answer(&run, &key("a#1@1"), 1.into()).await, "leave an answer");
    leased(store.remove(&run).await);
    same(&entries(store, &run).await, &records);
    drop(lease);
    ok(store.remove(&run).await, "remove a run");
    unknown(store.entries(&run, 0, 10).await);
    unknown(store.remove(&run).await);
    unknown(store.put_answer(&run, &key("a#1@1"), 1.into()).await);
    assert_eq!(ok(store.run(&run).await, "look"), None, "the run is gone");
    assert_eq!(ok(store.last_full_snapshot(&run, 9).await, "look"), None, "the run is gone");
    same(&entries(store, &other).await, &records);

    // The name is free again, and nothing is left of what had it before.
    let (run, lease) = run_of(store, "gone", vec![begun()]).await;
    same(&entries(store, &run).await, &[begun()]);
    append(store, &lease, vec![changed(1, asking("a#1@1")), answered("a#1@1")]).await;
    let summary = ok(store.run(&run).await, "look");
    assert_eq!(summary.map(|run| run.entries), Some(3), "it counts anew");
}
