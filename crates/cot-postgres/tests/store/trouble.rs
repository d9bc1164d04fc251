//! What is wrong with a server, a schema or a right, and that it is said.

use std::time::{Duration, SystemTime};

use cot_core::{
    store::{Record, RunFilter, Store, StoreError, Submission},
    testing::check_store,
};
use cot_postgres::PgStore;
use futures_util::future::join_all;
use serde_json::json;
use sqlx::{PgPool, postgres::PgPoolOptions};

use crate::kit;

async fn execute(pool: &PgPool, sql: &str) {
    sqlx::raw_sql(sql).execute(pool).await.unwrap();
}

fn submission(name: &str) -> Submission {
    let run = Submission::new("Process", &json!({}), SystemTime::UNIX_EPOCH).unwrap();
    run.run_id(name.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_without_a_store_is_refused() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let options = PgStore::options().schema(&*schema);
    let refused = options.clone().existing().open(pool.clone()).await;
    assert!(matches!(refused, Err(StoreError::NotAStore { .. })), "{refused:?}");

    execute(&pool, &format!("CREATE SCHEMA {schema}; CREATE TABLE {schema}.runs (id int)")).await;
    for options in [options.clone(), options.existing()] {
        let refused = options.open(pool.clone()).await;
        assert!(matches!(refused, Err(StoreError::NotAStore { .. })), "{refused:?}");
    }
    let nowhere = address.replace("/postgres", "/no_database");
    let refused = PgStore::options().connect(&nowhere).await;
    assert!(matches!(refused, Err(StoreError::NotAStore { .. })), "{refused:?}");
    let odd = PgStore::options().schema("x; DROP SCHEMA public").open(pool).await;
    assert!(matches!(odd, Err(StoreError::Failed { .. })), "{odd:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_schema_is_refused_and_left_alone() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let options = PgStore::options().schema(&*schema);
    let store = options.open(pool.clone()).await.unwrap();
    store.submit(submission("run")).await.unwrap();
    execute(&pool, &format!("UPDATE {schema}.meta SET version = 99")).await;
    for options in [options.clone(), options.clone().existing()] {
        let refused = options.open(pool.clone()).await;
        let is_right = matches!(
            refused,
            Err(StoreError::UnsupportedVersion { version: 99, supported: 1, .. })
        );
        assert!(is_right, "{refused:?}");
    }
    execute(&pool, &format!("UPDATE {schema}.meta SET version = 1")).await;
    let store = options.open(pool).await.unwrap();
    assert!(store.run(&"run".parse().unwrap()).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_that_start_together_migrate_once() {
    let Some(address) = kit::address() else { return };
    let (pool, options) = (kit::pool(&address).await, kit::options());
    let opened = join_all((0..8).map(|_| options.open(pool.clone()))).await;
    let stores: Vec<PgStore> = opened.into_iter().map(Result::unwrap).collect();
    stores[0].submit(submission("run")).await.unwrap();
    assert_eq!(stores[7].runs(&RunFilter::default()).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_right_is_named() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let options = PgStore::options().schema(&*schema);
    drop(options.open(pool.clone()).await.unwrap());
    execute(&pool, &format!("CREATE ROLE r_{schema} LOGIN")).await;
    let other = address.replace("//cot@", &format!("//r_{schema}@"));
    for options in [options.clone(), kit::options()] {
        let refused = options.connect(&other).await;
        assert!(matches!(refused, Err(StoreError::Denied { .. })), "{refused:?}");
    }
    // Who may only read can read.
    let grants = format!(
        "GRANT USAGE ON SCHEMA {schema} TO r_{schema}; GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO r_{schema}"
    );
    execute(&pool, &grants).await;
    let reader = options.existing().connect(&other).await.unwrap();
    assert_eq!(reader.runs(&RunFilter::default()).await.unwrap(), []);
    let refused = reader.submit(submission("run")).await;
    assert!(matches!(refused, Err(StoreError::Denied { .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_is_dropped_is_missed() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let store = PgStore::options().schema(&*schema).open(pool.clone()).await.unwrap();
    execute(&pool, &format!("DROP SCHEMA {schema} CASCADE")).await;
    let gone = store.runs(&RunFilter::default()).await;
    assert!(matches!(gone, Err(StoreError::Gone { .. })), "{gone:?}");
    let gone = store.submit(submission("run")).await;
    assert!(matches!(gone, Err(StoreError::Gone { .. })), "{gone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_run_is_named() {
    let unreachable = PgStore::options().connect("postgres://cot@127.0.0.1:1/none").await;
    assert!(matches!(unreachable, Err(StoreError::Unreachable { .. })), "{unreachable:?}");
    let odd = PgStore::options().connect("postgres://[").await;
    assert!(matches!(odd, Err(StoreError::Failed { .. })), "{odd:?}");
}

/// The database of a program may have a stricter isolation by default, in which transactions fail that are in each
/// other's way.
#[tokio::test(flavor = "multi_thread")]
async fn serialization_failures_are_repeated() {
    let Some(address) = kit::address() else { return };
    let options: sqlx::postgres::PgConnectOptions = address.parse().unwrap();
    let options = options.options([("default_transaction_isolation", "serializable")]);
    let pool = PgPoolOptions::new().max_connections(8).connect_with(options).await.unwrap();
    check_store(async || {
        let options = kit::options().lease_time(Duration::from_millis(500));
        options.open(pool.clone()).await.unwrap()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_of_one_connection_is_enough() {
    let Some(address) = kit::address() else { return };
    let pool = PgPoolOptions::new().max_connections(1).connect(&address).await.unwrap();
    let store = kit::options().open(pool).await.unwrap();
    let runs = join_all((0..20).map(async |number| {
        let run = store.submit(submission(&format!("run-{number}"))).await.unwrap();
        let lease = store.acquire(&run).await.unwrap();
        let begun = json!({ "begun": {
            "at": 1, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
        }});
        let begun: Record = serde_json::from_value(begun).unwrap();
        store.append(&lease, vec![begun]).await.unwrap();
        store.entries(&run, 0, 9).await.unwrap().len()
    }));
    assert_eq!(runs.await, [2; 20]);
}

/// A changed entry is noticed, and the end of the journal can be cut.
#[tokio::test(flavor = "multi_thread")]
async fn a_changed_entry_is_corrupt() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let store = PgStore::options().schema(&*schema).open(pool.clone()).await.unwrap();
    let run = store.submit(submission("run")).await.unwrap();
    let lease = store.acquire(&run).await.unwrap();
    let begun = json!({ "begun": {
        "at": 1, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
    }});
    store.append(&lease, vec![serde_json::from_value(begun).unwrap()]).await.unwrap();
    drop(lease);
    execute(&pool, &format!("UPDATE {schema}.journal SET at = 2 WHERE number = 1")).await;
    let read = store.entries(&run, 0, 9).await;
    assert!(matches!(read, Err(StoreError::Corrupt { entry: 1, .. })), "{read:?}");
    kit::until(async || store.run(&run).await.unwrap().filter(|run| !run.is_driven)).await;
    assert_eq!(store.cut(&run, 1).await.unwrap(), 1);
    assert_eq!(store.entries(&run, 0, 9).await.unwrap().len(), 1);
    let none = store.cut(&run, 0).await;
    assert!(matches!(none, Err(StoreError::Failed { .. })), "{none:?}");
    let lease = store.acquire(&run).await.unwrap();
    let begun = json!({ "begun": {
        "at": 3, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
    }});
    store.append(&lease, vec![serde_json::from_value(begun).unwrap()]).await.unwrap();
    assert_eq!(store.entries(&run, 0, 9).await.unwrap().len(), 2);
}
