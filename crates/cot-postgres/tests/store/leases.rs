//! Leases in time: what becomes of a driver whose program was frozen or cut off.

use std::time::{Duration, SystemTime};

use cot_core::store::{DueFilter, Lease, Record, RunId, Store, StoreError, Submission};
use cot_postgres::PgStore;
use serde_json::json;
use sqlx::PgPool;

use crate::kit;

/// Two programs with the same store, whose heartbeats are far apart, so that a test decides when an owner expires.
struct Programs {
    pool: PgPool,
    schema: String,
    one: PgStore,
    other: PgStore,
}

impl Programs {
    async fn start(address: &str) -> Self {
        let (pool, schema) = (kit::pool(address).await, kit::schema());
        let options = PgStore::options().schema(&*schema).lease_time(Duration::from_secs(3600));
        let one = options.open(pool.clone()).await.unwrap();
        let other = options.open(pool.clone()).await.unwrap();
        Self { pool, schema, one, other }
    }

    /// Lets all leases expire, as if their programs had been frozen for long.
    async fn freeze(&self) {
        let sql = format!("UPDATE {}.owners SET expires = now() - interval '1 s'", self.schema);
        sqlx::query(&sql).execute(&self.pool).await.unwrap();
    }

    async fn submit(&self, name: &str) -> RunId {
        let run = Submission::new("Process", &json!({}), SystemTime::UNIX_EPOCH).unwrap();
        self.one.submit(run.run_id(name.parse().unwrap())).await.unwrap()
    }
}

/// Returns a record that begins a run.
fn begin() -> Record {
    let record = json!({ "begun": {
        "at": 1, "process": "Process", "snapshot": {}, "status": { "status": "running", "task": "a" },
    }});
    serde_json::from_value(record).unwrap()
}

async fn acquire(store: &PgStore, run: &RunId) -> Lease {
    store.acquire(run).await.unwrap()
}

#[track_caller]
fn assert_lost<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::LeaseLost { .. })), "{result:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_waits_for_a_living_driver() {
    let Some(address) = kit::address() else { return };
    let programs = Programs::start(&address).await;
    let run = programs.submit("run").await;
    let lease = acquire(&programs.one, &run).await;
    let refused = programs.other.acquire(&run).await;
    assert!(
        matches!(&refused, Err(StoreError::Leased { by, .. }) if by.starts_with("process ")),
        "{refused:?}"
    );
    let filter = DueFilter::new(vec!["Process".to_owned()], SystemTime::now(), 9);
    assert_eq!(programs.other.due(&filter).await.unwrap(), []);
    assert!(programs.other.run(&run).await.unwrap().unwrap().is_driven);
    let removed = programs.other.remove(&run).await;
    assert!(matches!(removed, Err(StoreError::Leased { .. })), "{removed:?}");
    drop(lease);
    kit::until(async || programs.other.acquire(&run).await.ok()).await;
}

/// The driver that was frozen continues after another program has taken its run.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_was_frozen_writes_nothing_any_more() {
    let Some(address) = kit::address() else { return };
    let programs = Programs::start(&address).await;
    let run = programs.submit("run").await;
    let frozen = acquire(&programs.one, &run).await;
    programs.freeze().await;
    let filter = DueFilter::new(vec!["Process".to_owned()], SystemTime::now(), 9);
    let due = programs.other.due(&filter).await.unwrap();
    assert_eq!(
        due.iter().map(|due| (due.run.as_str(), due.crashes)).collect::<Vec<_>>(),
        [("run", 1)]
    );
    let lease = acquire(&programs.other, &run).await;
    assert_eq!(lease.crashes(), 1, "its driver has not released it");

    assert_lost(programs.one.append(&frozen, vec![begin()]).await);
    assert_lost(
        programs
            .one
            .set_aside(&frozen, cot_core::store::SetAside::new("", SystemTime::now()))
            .await,
    );
    let draft = cot_core::store::Draft::new("a#1@1".to_owned().try_into().unwrap(), "x", "");
    assert_lost(programs.one.put_draft(&frozen, draft).await);
    programs.other.append(&lease, vec![begin()]).await.unwrap();
    // Its release takes nothing from the new driver.
    drop(frozen);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(programs.other.run(&run).await.unwrap().unwrap().is_driven);
    assert_eq!(programs.other.entries(&run, 0, 9).await.unwrap().len(), 2);
}

/// Nobody has taken the run meanwhile: its driver continues.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_was_frozen_goes_on_if_nobody_has_its_run() {
    let Some(address) = kit::address() else { return };
    let programs = Programs::start(&address).await;
    let run = programs.submit("run").await;
    let frozen = acquire(&programs.one, &run).await;
    programs.freeze().await;
    programs.one.append(&frozen, vec![begin()]).await.unwrap();
}

/// Of many programs that find an expired lease, one gets it.
#[tokio::test(flavor = "multi_thread")]
async fn one_program_takes_over() {
    let Some(address) = kit::address() else { return };
    let programs = Programs::start(&address).await;
    let options =
        PgStore::options().schema(&*programs.schema).lease_time(Duration::from_secs(3600));
    let mut others = Vec::new();
    for _ in 0..6 {
        others.push(options.open(programs.pool.clone()).await.unwrap());
    }
    // Registered before, or at the moment of the takeover.
    let _registered = acquire(&others[0], &"else".parse().unwrap()).await;
    for round in 0..10 {
        let run = programs.submit(&format!("run-{round}")).await;
        let _frozen = acquire(&programs.one, &run).await;
        let sql = format!(
            "UPDATE {}.owners SET expires = now() - interval '1 s' WHERE id = (SELECT owner FROM {0}.runs WHERE run = $1)",
            programs.schema
        );
        sqlx::query(&sql).bind(run.as_str()).execute(&programs.pool).await.unwrap();
        let taken =
            futures_util::future::join_all(others.iter().map(|other| other.acquire(&run))).await;
        let leases = taken.iter().filter(|taken| taken.is_ok()).count();
        assert_eq!(leases, 1, "{taken:?}");
    }
}
