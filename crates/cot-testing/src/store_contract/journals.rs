//! Checks of appending to journals and reading them.

use std::time::{Duration, UNIX_EPOCH};

use cot_engine::Event;
use cot_store::{Record, RunFilter, Store, StoreError};
use futures_util::future::join_all;

use super::{
    records::{
        all_events, answered, asking, at, delta_step, ended, event, full_step,
        in_the_millisecond_of, key, replied, replied_to_growing, running, sleeping, started,
        with_time,
    },
    support::{
        acquire, append, assert_error, assert_leased, assert_records, assert_unknown_run,
        create_run, entries, id, ok, to_json,
    },
};

pub(super) async fn exist_from_their_first_entry(store: &dyn Store) {
    let run = id("new");
    let lease = acquire(store, &run).await;
    assert_eq!(
        ok(store.run(&run).await, "load a summary"),
        None,
        "a run exists from its first entry on"
    );
    assert!(
        ok(store.runs(&RunFilter::default()).await, "list").is_empty(),
        "a run without entries is listed"
    );
    assert_eq!(ok(store.last_full_snapshot(&run, u64::MAX).await, "find a full snapshot"), None);
    assert_unknown_run(store.entries(&run, 0, 10).await);
    assert_unknown_run(store.append(&lease, vec![full_step(1), started()]).await);
    assert_unknown_run(store.entries(&run, 0, 10).await);
    append(store, &lease, Vec::new()).await;
    assert_unknown_run(store.entries(&run, 0, 10).await);
    append(store, &lease, vec![started()]).await;
    assert_records(&entries(store, &run).await, &[started()]);
    assert!(
        ok(store.run(&run).await, "load a summary").is_some(),
        "a run exists from its first entry on"
    );
}

pub(super) async fn keep_the_order(store: &dyn Store) {
    let (run, lease) = create_run(store, "ordered", vec![started()]).await;
    let mut records = vec![started()];
    for round in 0..20 {
        let more =
            vec![replied("a#1@1", &format!("reply {round}")), delta_step(round, running("a"))];
        append(store, &lease, more.clone()).await;
        records.extend(more);
    }
    assert_records(&entries(store, &run).await, &records);
    let numbers = async |from, limit| -> Vec<u64> {
        let page = ok(store.entries(&run, from, limit).await, "read some entries");
        page.iter().map(|entry| entry.number).collect()
    };
    assert_eq!(numbers(0, 3).await, [0, 1, 2]);
    assert_eq!(numbers(7, 4).await, [7, 8, 9, 10]);
    assert_eq!(numbers(39, 100).await, [39, 40]);
    assert!(numbers(41, 100).await.is_empty(), "there are no entries beyond the end");
    assert!(numbers(u64::MAX, 100).await.is_empty(), "there are no entries beyond the end");
    assert!(numbers(3, 0).await.is_empty(), "a limit of 0 returns no entries");
}

pub(super) async fn append_all_records_or_none(store: &dyn Store) {
    let (run, lease) = create_run(store, "whole", vec![started()]).await;
    let exists = |error: &StoreError| matches!(error, StoreError::RunExists { .. });
    let twice = vec![full_step(1), replied("a#1@1", "x"), started()];
    assert_error(store.append(&lease, twice).await, exists, "`RunExists` for a second start");
    assert_records(&entries(store, &run).await, &[started()]);
    let summary = ok(store.run(&run).await, "load a summary");
    assert_eq!(
        summary.map(|run| (run.entries, run.steps)),
        Some((1, 0)),
        "a rejected append adds nothing"
    );

    let other = id("other");
    let lease = acquire(store, &other).await;
    assert_error(
        store.append(&lease, vec![started(), full_step(1), started()]).await,
        exists,
        "`RunExists` for two starts in one append",
    );
    assert_eq!(
        ok(store.run(&other).await, "load a summary"),
        None,
        "a rejected append adds nothing"
    );
}

pub(super) async fn return_records_unchanged(store: &dyn Store) {
    let mut records = vec![started(), full_step(1)];
    records.extend(all_events());
    for status in [running("ä 'b' \"c\"\u{0}"), asking("a#1@1"), sleeping(), ended()] {
        records.push(delta_step(2, status));
    }
    let (run, _lease) = create_run(store, "a.b-c_d:1", records.clone()).await;
    assert_records(&entries(store, &run).await, &records);

    let long = "x".repeat(200);
    let (run, _lease) = create_run(store, &long, records.clone()).await;
    assert_records(&entries(store, &run).await, &records);
    let (run, _lease) = create_run(store, "A.B-C_D:1", vec![started()]).await;
    assert_records(&entries(store, &run).await, &[started()]);
}

pub(super) async fn keep_times_to_the_millisecond(store: &dyn Store) {
    let records =
        || vec![started(), answered("a#1@1"), delta_step(1, asking("a#1@1")), full_step(2)];
    let records_at =
        |time| records().into_iter().map(|record| with_time(record, time)).collect::<Vec<_>>();
    let (run, _lease) =
        create_run(store, "timed", records_at(in_the_millisecond_of(5, 999_999))).await;
    for (entry, kept) in entries(store, &run).await.iter().zip(records_at(at(5))) {
        assert_eq!(entry.record.at(), at(5), "entry {}: times are rounded down", entry.number);
        assert_eq!(entry.record.status(), kept.status(), "entry {}", entry.number);
    }
    let early = UNIX_EPOCH - Duration::from_secs(1);
    let (run, _lease) = create_run(store, "early", records_at(early)).await;
    for entry in entries(store, &run).await {
        assert_eq!(entry.record.at(), UNIX_EPOCH, "earlier times become 1970");
    }
}

pub(super) async fn take_big_records(store: &dyn Store) {
    let text = "0123456789ä\"\\\n".repeat(750_000);
    let reason = text.clone();
    let big =
        vec![started(), replied("a#1@1", &text), event(Event::Cancelled { reason, calls: 0 })];
    let (run, _lease) = create_run(store, "big", big.clone()).await;
    assert_records(&entries(store, &run).await, &big);
}

pub(super) async fn find_full_snapshots(store: &dyn Store) {
    let reply = || replied("a#1@1", "x");
    let records = vec![
        started(),
        reply(),
        delta_step(1, running("a")),
        full_step(2),
        reply(),
        full_step(3),
        reply(),
    ];
    let (run, _lease) = create_run(store, "read", records).await;
    for (until, number) in [(0, 0), (1, 0), (2, 0), (3, 3), (4, 3), (5, 5), (6, 5), (u64::MAX, 5)] {
        let last = ok(store.last_full_snapshot(&run, until).await, "find a full snapshot");
        assert_eq!(last, Some(number), "the last full snapshot up to entry {until}");
    }
}

pub(super) async fn accept_concurrent_appends(store: &dyn Store) {
    let grow = async |number: u64| {
        let (run, lease) = create_run(store, &format!("run-{number}"), vec![started()]).await;
        for step in 1..=10 {
            let reply = replied(&format!("a#{step}@1"), &format!("reply {step} of {number}"));
            append(store, &lease, vec![reply, delta_step(step, running("a"))]).await;
            let last = ok(store.entries(&run, 2 * step, 5).await, "read while others write");
            assert_eq!(last.len(), 1, "a driver reads its own entries");
        }
        drop(lease);
        let records = (1..=10).flat_map(|step| {
            let reply = replied(&format!("a#{step}@1"), &format!("reply {step} of {number}"));
            [reply, delta_step(step, running("a"))]
        });
        let records: Vec<Record> = std::iter::once(started()).chain(records).collect();
        assert_records(&entries(store, &run).await, &records);
    };
    join_all((0..40).map(grow)).await;
    let runs = ok(store.runs(&RunFilter::default()).await, "list runs");
    assert_eq!(runs.len(), 40, "all runs are there");
}

pub(super) async fn return_growing_prompts(store: &dyn Store) {
    let (run, lease) = create_run(store, "run", vec![started()]).await;
    let line = "one more line of the history – with „quotes“ and ümlauts\n";
    let (mut history, mut list) = (line.repeat(30), String::new());
    let mut records = vec![started()];
    for step in 1..=100 {
        // Now and then the text is cut, differs although it is as long as before, or stays as it is.
        match step {
            40 => history = line.repeat(25),
            50 => history = history.replace("more", "MORE"),
            60..=65 => {}
            _ => history.push_str(&format!("{line}{step}\n")),
        }
        list.push_str(line);
        let reply = replied_to_growing(&format!("a#{step}@1"), &history, &list);
        append(store, &lease, vec![reply.clone()]).await;
        records.push(reply);
    }
    assert_records(&entries(store, &run).await, &records);
    let last = ok(store.entries(&run, 100, 1).await, "read one entry");
    assert_eq!(last.first().map(|entry| to_json(&entry.record)), records.last().map(to_json));
}

pub(super) async fn are_removed(store: &dyn Store) {
    assert_unknown_run(store.remove(&id("gone")).await);
    let records = vec![started(), full_step(1), delta_step(2, asking("a#1@1"))];
    let (run, lease) = create_run(store, "gone", records.clone()).await;
    let (other, _lease) = create_run(store, "other", records.clone()).await;
    ok(store.put_answer(&run, &key("a#1@1"), 1.into()).await, "store an answer");
    assert_leased(store.remove(&run).await);
    assert_records(&entries(store, &run).await, &records);
    drop(lease);
    ok(store.remove(&run).await, "remove a run");
    assert_unknown_run(store.entries(&run, 0, 10).await);
    assert_unknown_run(store.remove(&run).await);
    assert_unknown_run(store.put_answer(&run, &key("a#1@1"), 1.into()).await);
    assert_eq!(ok(store.run(&run).await, "load a summary"), None, "the run is gone");
    assert_eq!(
        ok(store.last_full_snapshot(&run, 9).await, "find a full snapshot"),
        None,
        "the run is gone"
    );
    assert_records(&entries(store, &other).await, &records);

    // The id can be used again, and the new run has no data of the old one.
    let (run, lease) = create_run(store, "gone", vec![started()]).await;
    assert_records(&entries(store, &run).await, &[started()]);
    append(store, &lease, vec![delta_step(1, asking("a#1@1")), answered("a#1@1")]).await;
    let summary = ok(store.run(&run).await, "load a summary");
    assert_eq!(summary.map(|run| run.entries), Some(3), "the counters start from zero");
}
