//! Connections that are lost, late or cut in the middle of an operation.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant, SystemTime},
};

use cot_core::store::{CancelRequest, Record, Store, StoreError, Submission};
use cot_postgres::PgStore;
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;

use crate::{kit, proxy};

fn submission(name: &str) -> Submission {
    let run = Submission::new("Process", &json!({}), SystemTime::UNIX_EPOCH).unwrap();
    run.run_id(name.parse().unwrap())
}

fn record(value: Value) -> Record {
    serde_json::from_value(value).unwrap()
}

fn begun() -> Record {
    record(json!({ "begun": {
        "at": 1, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
    }}))
}

fn step(number: u64) -> Record {
    record(json!({ "step": {
        "at": number, "progress": { "whole": { "number": number } }, "status": { "status": "running", "task": "a" },
        "steps": number, "usage": { "calls": number, "input_tokens": 0, "output_tokens": 0 },
    }}))
}

fn asking() -> Record {
    record(json!({ "step": {
        "at": 5, "progress": { "whole": {} }, "steps": 1,
        "usage": { "calls": 0, "input_tokens": 0, "output_tokens": 0 },
        "status": { "status": "asking", "task": "a", "key": "a#1@1", "question": "?", "schema": true, "since": 5 },
    }}))
}

/// Connections are lost before, while and after the server does the work; each entry is there once, and the driver
/// gets no error.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_appended_while_connections_are_lost_is_there_once() {
    let Some(address) = kit::address() else { return };
    let (through, faults) = proxy::start(&address).await;
    let store = kit::options().connect(&through).await.unwrap();
    let cutter = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(fastrand::u64(150..500))).await;
            faults.cut(Duration::from_millis(fastrand::u64(0..8))).await;
        }
    });
    for name in ["one", "two", "three"] {
        let run = store.submit(submission(name)).await.unwrap();
        let lease = store.acquire(&run).await.unwrap();
        store.append(&lease, vec![begun()]).await.unwrap();
        for number in 1..=60 {
            store.append(&lease, vec![step(number)]).await.unwrap();
        }
        // The chain of hashes is checked.
        let entries = store.entries(&run, 0, usize::MAX).await.unwrap();
        let steps = entries.iter().filter_map(|entry| match &entry.record {
            Record::Step(step) => Some(step.steps),
            _ => None,
        });
        assert_eq!(steps.collect::<Vec<_>>(), (1..=60).collect::<Vec<_>>());
        drop(lease);
        kit::until(async || store.run(&run).await.unwrap().filter(|run| !run.is_driven)).await;
        store.remove(&run).await.unwrap();
        assert!(store.run(&run).await.unwrap().is_none());
    }
    cutter.abort();
}

/// A program that is cut off for longer than its leases are worth something has lost its run to another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_cut_off_loses_its_runs() {
    let Some(address) = kit::address() else { return };
    let (through, faults) = proxy::start(&address).await;
    let options = kit::options().lease_time(Duration::from_millis(1500));
    let far = options.connect(&through).await.unwrap();
    let near = options.connect(&address).await.unwrap();
    let run = near.submit(submission("run")).await.unwrap();
    let lost = far.acquire(&run).await.unwrap();
    far.append(&lost, vec![begun()]).await.unwrap();
    faults.freeze(true);
    let began = Instant::now();
    let lease = kit::until(async || near.acquire(&run).await.ok()).await;
    let taken = began.elapsed();
    assert!(taken > Duration::from_millis(900) && taken < Duration::from_secs(5), "{taken:?}");
    assert_eq!(lease.crashes(), 1);
    near.append(&lease, vec![step(1)]).await.unwrap();
    faults.freeze(false);
    let late = far.append(&lost, vec![step(1)]).await;
    assert!(matches!(late, Err(StoreError::LeaseLost { .. })), "{late:?}");
    near.append(&lease, vec![step(2)]).await.unwrap();
    assert_eq!(near.entries(&run, 0, 99).await.unwrap().len(), 4);
}

/// An answer and a request to cancel reach a driver in another program, also where notifications do not come through.
#[tokio::test(flavor = "multi_thread")]
async fn answers_come_with_and_without_notifications() {
    let Some(address) = kit::address() else { return };
    for hides in [false, true] {
        let (through, faults) = proxy::start(&address).await;
        faults.hides_notifications.store(hides, Ordering::SeqCst);
        faults.delay.store(1, Ordering::SeqCst);
        let options = kit::options();
        let driver = options.connect(&through).await.unwrap();
        let person = options.connect(&address).await.unwrap();
        let key = "a#1@1".to_owned().try_into().unwrap();
        for (round, is_first) in [("first", true), ("second", false)] {
            let run = person.submit(submission(round)).await.unwrap();
            let lease = driver.acquire(&run).await.unwrap();
            driver.append(&lease, vec![begun(), asking()]).await.unwrap();
            let answer = async {
                let waiting = driver.wait_for_answer(&run, &key);
                tokio::time::timeout(Duration::from_secs(5), waiting).await.unwrap().unwrap();
                Instant::now()
            };
            let put = async {
                // Until the driver listens.
                tokio::time::sleep(Duration::from_millis(if is_first { 1500 } else { 100 })).await;
                person.put_answer(&run, &key, json!(1)).await.unwrap();
                Instant::now()
            };
            let (answered, put) = tokio::join!(answer, put);
            let late = answered.saturating_duration_since(put);
            let limit = if hides { 2500 } else { 500 };
            assert!(late < Duration::from_millis(limit), "{hides}: {late:?}");
            let request = CancelRequest::new("enough", SystemTime::now());
            let (cancelled, ()) = tokio::join!(driver.wait_for_cancel(&run), async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                person.request_cancel(&run, request).await.unwrap();
            });
            assert_eq!(cancelled.unwrap().reason, "enough");
        }
    }
}

/// A run that another program submits wakes a worker.
#[tokio::test(flavor = "multi_thread")]
async fn workers_hear_of_due_runs() {
    let Some(address) = kit::address() else { return };
    let options = kit::options();
    let worker: PgStore = options.connect(&address).await.unwrap();
    let other = options.connect(&address).await.unwrap();
    drop(worker.wait_for_due());
    tokio::time::sleep(Duration::from_millis(700)).await;
    let (due, began) = (worker.wait_for_due(), Instant::now());
    other.submit(submission("run")).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), due).await.unwrap();
    assert!(began.elapsed() < Duration::from_millis(700), "{:?}", began.elapsed());
}

/// A server that is down for longer than a pool waits for a connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down_for_a_moment_is_waited_for() {
    let Some(address) = kit::address() else { return };
    let (through, faults) = proxy::start(&address).await;
    let pool = PgPoolOptions::new().acquire_timeout(Duration::from_millis(700));
    let store = kit::options().open(pool.connect(&through).await.unwrap()).await.unwrap();
    let run = store.submit(submission("run")).await.unwrap();
    faults.restart(Duration::from_secs(3));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(store.run(&run).await.unwrap().is_some());
}

/// The connection of the heartbeat gets no reply any more, which only time shows.
#[tokio::test(flavor = "multi_thread")]
async fn a_heartbeat_leaves_a_connection_without_replies() {
    let Some(address) = kit::address() else { return };
    let (through, faults) = proxy::start(&address).await;
    let options = kit::options().lease_time(Duration::from_secs(3));
    let driver = options.connect(&through).await.unwrap();
    let other = options.connect(&address).await.unwrap();
    let run = other.submit(submission("run")).await.unwrap();
    let _lease = driver.acquire(&run).await.unwrap();
    faults.strand();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let refused = other.acquire(&run).await;
    assert!(matches!(refused, Err(StoreError::Leased { .. })), "{refused:?}");
}
