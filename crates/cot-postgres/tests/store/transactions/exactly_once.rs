//! The rows of functions and the journal agree.

use std::{env, time::Duration};

use cot_postgres::PgStore;
use sqlx::{PgPool, postgres::PgPoolOptions};

use super::{kills, shop};
use crate::kit;

/// A store, and the tables of the program in the same schema, which the search path of the pool names.
pub(crate) struct Place {
    pub(crate) address: String,
    pub(crate) schema: String,
    pub(crate) pool: PgPool,
    pub(crate) store: PgStore,
}

impl Place {
    pub(crate) async fn new(limit: Duration) -> Option<Self> {
        let (address, schema) = (kit::address()?, kit::schema());
        let (pool, store) = open(&address, &schema, limit).await;
        sqlx::query("CREATE TABLE effects (key text NOT NULL)").execute(&pool).await.unwrap();
        Some(Self { address, schema, pool, store })
    }

    pub(crate) async fn rows(&self) -> Vec<String> {
        sqlx::query_scalar("SELECT key FROM effects").fetch_all(&self.pool).await.unwrap()
    }
}

pub(crate) async fn open(address: &str, schema: &str, limit: Duration) -> (PgPool, PgStore) {
    let path = format!("SET search_path = {schema}");
    let pool = PgPoolOptions::new().max_connections(4).after_connect(move |connection, _| {
        let path = path.clone();
        Box::pin(async move { sqlx::query(&path).execute(connection).await.map(drop) })
    });
    let pool = pool.connect(address).await.unwrap();
    let options = PgStore::options().schema(schema).transaction_limit(limit);
    let store = options.lease_time(Duration::from_millis(600)).open(pool.clone()).await.unwrap();
    (pool, store)
}

pub(crate) const LONG: Duration = Duration::from_secs(5);

#[tokio::test]
async fn items_branches_and_sub_processes_write_once() {
    let Some(place) = Place::new(LONG).await else { return };
    shop::writes_once(place.store.clone()).await;
    shop::check_rows(&place.rows().await, 1);
}

#[tokio::test]
async fn what_fails_is_rolled_back() {
    let Some(place) = Place::new(Duration::from_millis(300)).await else { return };
    shop::rolls_back(place.store.clone()).await;
    assert_eq!(place.rows().await, ["None", "None", "None", "None", "Commit", "None"]);
}

#[tokio::test]
async fn panics_are_rolled_back() {
    let Some(place) = Place::new(LONG).await else { return };
    shop::panics_roll_back(place.store.clone()).await;
    assert!(place.rows().await.is_empty());
}

#[tokio::test]
async fn a_cancelled_function_is_rolled_back() {
    let Some(place) = Place::new(LONG).await else { return };
    shop::cancels_roll_back(place.store.clone()).await;
    assert!(place.rows().await.is_empty());
}

/// No test, but the program that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the program of the other tests"]
async fn program() {
    let Ok(place) = env::var(kills::PLACE) else { return };
    let (address, schema) = place.split_once(' ').unwrap();
    let (_pool, store) = open(address, schema, LONG).await;
    kills::work(store).await;
}

async fn survive(at_once: usize, kills: usize) {
    let Some(place) = Place::new(LONG).await else { return };
    let spawn = || kills::spawn(&format!("{} {}", place.address, place.schema));
    kills::survive(place.store.clone(), async || place.rows().await, spawn, (at_once, kills)).await;
}

#[tokio::test]
async fn kills_double_and_lose_no_row() {
    survive(20, 8).await;
}

#[tokio::test]
#[ignore = "it takes long: a step of `.ci/long`"]
async fn a_thousand_kills_double_and_lose_no_row() {
    survive(50, 1000).await;
}
