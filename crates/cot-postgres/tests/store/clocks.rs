//! Programs whose clocks are ahead: what needs a driver is due at once all the same.

use std::time::{Duration, SystemTime};

use cot_core::{
    prelude::*,
    store::{CancelRequest, DueFilter, Record, RunId, SetAside, Status, Store, Submission},
};
use cot_postgres::PgStore;
use serde_json::{Value, json};

use crate::kit;

/// The time of a clock that is two hours ahead.
fn ahead() -> SystemTime {
    SystemTime::now() + Duration::from_secs(7200)
}

fn millis(at: SystemTime) -> u64 {
    at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

fn record(value: Value) -> Record {
    serde_json::from_value(value).unwrap()
}

fn begun() -> Record {
    record(json!({ "begun": {
        "at": millis(ahead()), "process": "Process", "snapshot": {},
        "status": { "status": "running", "task": "a" },
    }}))
}

fn step(status: Value) -> Record {
    record(json!({ "step": {
        "at": millis(ahead()), "progress": { "whole": {} }, "steps": 1,
        "usage": { "calls": 0, "input_tokens": 0, "output_tokens": 0 }, "status": status,
    }}))
}

fn asking() -> Record {
    step(json!({
        "status": "asking", "task": "a", "key": "a#1@1", "question": "?", "schema": true,
        "since": millis(ahead()),
    }))
}

fn sleeping() -> Record {
    step(json!({ "status": "sleeping", "task": "a", "until": millis(ahead()) }))
}

async fn submit(store: &PgStore, name: &str) -> RunId {
    let run = Submission::new("Process", &json!({}), ahead()).unwrap();
    store.submit(run.run_id(name.parse().unwrap())).await.unwrap()
}

/// Appends records as a driver that then leaves the run.
async fn drive(store: &PgStore, run: &RunId, records: Vec<Record>) {
    let lease = store.acquire(run).await.unwrap();
    store.append(&lease, records).await.unwrap();
    drop(lease);
    store.close().await;
}

/// Returns whether a run is due for a program whose clock is right.
async fn is_due(store: &PgStore, run: &RunId) -> bool {
    let filter = DueFilter::new(vec!["Process".to_owned()], SystemTime::now(), 99);
    store.due(&filter).await.unwrap().iter().any(|due| due.run == *run)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_ahead_hides_no_run() {
    let Some(address) = kit::address() else { return };
    let store = kit::options().connect(&address).await.unwrap();
    let run = submit(&store, "run").await;
    assert!(is_due(&store, &run).await, "it was submitted");
    drive(&store, &run, vec![begun()]).await;
    assert!(is_due(&store, &run).await, "its driver has left it");

    let lease = store.acquire(&run).await.unwrap();
    store.set_aside(&lease, SetAside::new("why", ahead())).await.unwrap();
    drop(lease);
    store.close().await;
    assert!(store.retry(&run).await.unwrap());
    assert!(is_due(&store, &run).await, "it was put back");
    assert_eq!(store.cut(&run, 1).await.unwrap(), 1);
    assert!(is_due(&store, &run).await, "its journal was cut");

    drive(&store, &run, vec![begun(), asking()]).await;
    assert!(!is_due(&store, &run).await, "nobody has answered");
    let key = "a#1@1".to_owned().try_into().unwrap();
    store.put_answer(&run, &key, json!(1)).await.unwrap();
    drive(&store, &run, vec![asking()]).await;
    assert!(is_due(&store, &run).await, "its answer is not taken");

    for (name, last) in [("asks", asking()), ("sleeps", sleeping())] {
        let run = submit(&store, name).await;
        drive(&store, &run, vec![begun(), last.clone()]).await;
        assert!(!is_due(&store, &run).await, "it {name}");
        store.request_cancel(&run, CancelRequest::new("why", ahead())).await.unwrap();
        assert!(is_due(&store, &run).await, "it is to be cancelled");
        drive(&store, &run, vec![last]).await;
        assert!(is_due(&store, &run).await, "it is still to be cancelled");
    }
}

cot_process! {
    process Plain {
        state: u32,

        task first { run: first, next: done }

        task done { end }
    }
}

async fn first(_: &u32) -> std::io::Result<()> {
    Ok(())
}

/// A worker does not leave a run alone that was written by a program whose clock is ahead.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_drives_what_a_clock_that_is_ahead_has_written() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let store = PgStore::options().schema(&*schema).open(pool.clone()).await.unwrap();
    let runner = Plain::runner().store(store.clone());
    runner.run_id("run").submit(&0).await.unwrap();
    let sql = format!("UPDATE {schema}.runs SET updated = updated + 7200000");
    sqlx::raw_sql(&sql).execute(&pool).await.unwrap();
    let worker = Plain::runner().worker(store.clone());
    tokio::time::timeout(Duration::from_secs(20), worker.run_until_idle()).await.unwrap().unwrap();
    let run = store.run(&"run".parse().unwrap()).await.unwrap().unwrap();
    assert!(matches!(&run.status, Status::Ended { task, .. } if task == "done"), "{run}");
}
