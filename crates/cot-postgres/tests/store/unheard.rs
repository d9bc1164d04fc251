//! Writes of persons whose end is not heard of, or that others are in the way of.

use std::time::{Duration, Instant, SystemTime};

use cot_core::store::{Record, RunId, SetAside, Store, StoreError, Submission};
use cot_postgres::PgStore;
use serde_json::{Value, json};

use crate::{kit, proxy};

fn record(value: Value) -> Record {
    serde_json::from_value(value).unwrap()
}

fn begun() -> Record {
    record(json!({ "begun": {
        "at": 1, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
    }}))
}

fn asking() -> Record {
    record(json!({ "step": {
        "at": 5, "progress": { "whole": {} }, "steps": 1,
        "usage": { "calls": 0, "input_tokens": 0, "output_tokens": 0 },
        "status": { "status": "asking", "task": "a", "key": "a#1@1", "question": "?", "schema": true, "since": 5 },
    }}))
}

async fn submit(store: &PgStore, name: &str) -> RunId {
    let run = Submission::new("Process", &json!({}), SystemTime::UNIX_EPOCH).unwrap();
    store.submit(run.run_id(name.parse().unwrap())).await.unwrap()
}

fn running() -> Record {
    record(json!({ "step": {
        "at": 7, "progress": { "whole": {} }, "steps": 2,
        "usage": { "calls": 0, "input_tokens": 0, "output_tokens": 0 },
        "status": { "status": "running", "task": "b" },
    }}))
}

fn answered() -> Record {
    record(json!({ "event": {
        "at": 6, "asked": { "key": "a#1@1" }, "event": { "answered": { "id": 1, "answer": "yes" } },
    }}))
}

/// The server stores an answer, but its reply is lost; the driver takes the answer before it is sent again.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_end_was_not_heard_of_is_accepted() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let (through, faults) = proxy::start(&address).await;
    let options = PgStore::options().schema(&*schema);
    let person = options.connect(&through).await.unwrap();
    let driver = options.open(pool.clone()).await.unwrap();
    let key = "a#1@1".to_owned().try_into().unwrap();
    let run = submit(&driver, "run").await;
    let lease = driver.acquire(&run).await.unwrap();
    driver.append(&lease, vec![begun(), asking()]).await.unwrap();
    // The answer is held up where it is written, until the reply gets lost.
    let mut other = pool.begin().await.unwrap();
    let sql = format!("SELECT 1 FROM {schema}.runs FOR UPDATE");
    sqlx::raw_sql(&sql).execute(&mut *other).await.unwrap();
    let (put, ()) = tokio::join!(person.put_answer(&run, &key, json!("yes")), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        tokio::join!(faults.cut(Duration::from_secs(1)), async {
            other.commit().await.unwrap();
            driver.wait_for_answer(&run, &key).await.unwrap();
            driver.append(&lease, vec![answered()]).await.unwrap();
            driver.append(&lease, vec![running()]).await.unwrap();
        });
    });
    put.unwrap();
    let other = person.put_answer(&run, &key, json!("yes")).await;
    assert!(matches!(other, Err(StoreError::NotAsked { .. })), "{other:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_may_be_named_like_a_notification() {
    let Some(address) = kit::address() else { return };
    let options = kit::options();
    let driver = options.connect(&address).await.unwrap();
    let person = options.connect(&address).await.unwrap();
    let run = submit(&driver, "due").await;
    let lease = driver.acquire(&run).await.unwrap();
    driver.append(&lease, vec![begun(), asking()]).await.unwrap();
    let key = "a#1@1".to_owned().try_into().unwrap();
    let (began, put) = tokio::join!(driver.wait_for_answer(&run, &key), async {
        // Until the driver listens.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        person.put_answer(&run, &key, json!("yes")).await.unwrap();
        Instant::now()
    });
    assert_eq!(began.unwrap(), "yes");
    assert!(put.elapsed() < Duration::from_millis(900), "{:?}", put.elapsed());
}

/// A journal is cut while another program cuts it further.
#[tokio::test(flavor = "multi_thread")]
async fn a_cut_notices_another_one() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let store = PgStore::options().schema(&*schema).open(pool.clone()).await.unwrap();
    let run = submit(&store, "run").await;
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![begun(), asking()]).await.unwrap();
    drop(lease);
    store.close().await;
    let mut other = pool.begin().await.unwrap();
    let sql = format!(
        "DELETE FROM {schema}.journal WHERE number >= 1; UPDATE {schema}.runs SET entries = 1, \
         hash = (SELECT hash FROM {schema}.journal WHERE journal.run = runs.id AND number = 0)"
    );
    sqlx::raw_sql(&sql).execute(&mut *other).await.unwrap();
    let (cut, ()) = tokio::join!(store.cut(&run, 2), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        other.commit().await.unwrap();
    });
    assert_eq!(cut.unwrap(), 0, "nothing is left to cut");
    let summary = store.run(&run).await.unwrap().unwrap();
    assert_eq!((summary.entries, store.entries(&run, 0, 9).await.unwrap().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_put_back_once() {
    let Some(address) = kit::address() else { return };
    let store = kit::options().connect(&address).await.unwrap();
    let run = submit(&store, "run").await;
    let lease = store.acquire(&run).await.unwrap();
    store.set_aside(&lease, SetAside::new("why", SystemTime::now())).await.unwrap();
    assert!(store.retry(&run).await.unwrap());
    assert!(!store.retry(&run).await.unwrap());
}
