//! Leases that can't be released at first: the program lives and renews its leases, so they would not expire.

use std::time::{Duration, SystemTime};

use cot_core::store::{RunId, Store, StoreError, Submission};
use cot_postgres::PgStore;
use serde_json::json;
use sqlx::{PgPool, postgres::PgPoolOptions};

use crate::{kit, proxy};

async fn execute(pool: &PgPool, sql: &str) {
    sqlx::raw_sql(sql).execute(pool).await.unwrap();
}

/// Makes all updates of runs fail that match a condition.
async fn refuse(pool: &PgPool, schema: &str, condition: &str) {
    let sql = format!(
        "CREATE OR REPLACE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION 'refused'; END $$; \
         CREATE TRIGGER refusal BEFORE UPDATE ON {schema}.runs FOR EACH ROW WHEN ({condition}) \
         EXECUTE FUNCTION {schema}.refuse()"
    );
    execute(pool, &sql).await;
}

async fn allow(pool: &PgPool, schema: &str) {
    execute(pool, &format!("DROP TRIGGER refusal ON {schema}.runs")).await;
}

async fn submit(store: &PgStore, name: &str) -> RunId {
    let run = Submission::new("Process", &json!({}), SystemTime::UNIX_EPOCH).unwrap();
    store.submit(run.run_id(name.parse().unwrap())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_could_not_be_released_is_released_later() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let options = PgStore::options().schema(&*schema).lease_time(Duration::from_secs(1));
    let one = options.open(pool.clone()).await.unwrap();
    let other = options.open(pool.clone()).await.unwrap();
    let run = submit(&one, "run").await;
    let lease = one.acquire(&run).await.unwrap();
    refuse(&pool, &schema, "NEW.owner IS NULL").await;
    drop(lease);
    tokio::time::sleep(Duration::from_millis(500)).await;
    allow(&pool, &schema).await;
    let lease = kit::until(async || other.acquire(&run).await.ok()).await;
    assert_eq!(lease.crashes(), 0, "its driver has not crashed");
}

/// The server acquires a lease, its reply is lost, and it can't be asked again.
#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_was_acquired_without_a_reply_is_released() {
    let Some(address) = kit::address() else { return };
    let (pool, schema) = (kit::pool(&address).await, kit::schema());
    let (through, faults) = proxy::start(&address).await;
    let options = PgStore::options().schema(&*schema).lease_time(Duration::from_secs(3));
    // Its connection is not tested first, since the test would be what gets no reply.
    let pool_of_one = PgPoolOptions::new().max_connections(1).test_before_acquire(false);
    let one = options.open(pool_of_one.connect(&through).await.unwrap()).await.unwrap();
    let other = options.connect(&address).await.unwrap();
    let run = submit(&one, "run").await;
    drop(one.acquire(&run).await.unwrap());
    one.close().await;
    let break_off = async {
        kit::until(async || other.run(&run).await.unwrap().filter(|run| run.is_driven)).await;
        refuse(&pool, &schema, "NEW.owner IS NOT NULL").await;
    };
    let (acquired, ()) = tokio::join!(one.acquire(&run), async {
        tokio::join!(faults.cut(Duration::from_secs(1)), break_off);
    });
    assert!(matches!(acquired, Err(StoreError::Failed { .. })), "{acquired:?}");
    allow(&pool, &schema).await;
    kit::until(async || other.acquire(&run).await.ok()).await;
}
