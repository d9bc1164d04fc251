//! The cost of storing runs in Postgres, compared with a hand-written loop that adds a row per step to the same
//! database: committed steps per second, of one run and of many concurrent runs, the size of a step, and answers and
//! starts among many waiting runs.
//!
//! `COT_POSTGRES=postgres://… cargo bench -p cot-postgres --bench runs`
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark measures, prints, and fails loudly"
)]

mod by_hand;
// The workload of both stores.
#[path = "../../../cot-sqlite/benches/runs/process.rs"]
mod process;
mod waiting;

use std::{
    env,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use cot_postgres::PgStore;
use futures_util::future::join_all;
use sqlx::{PgPool, postgres::PgPoolOptions};

use self::{
    by_hand::{Table, by_hand},
    process::{BuilderState, DsBuilder, Prepared, replies},
};

/// Runs at the same time, their steps, how often both sides have their turn, and the target ratio.
const LAPS: [(usize, usize, usize, f64); 2] = [(1, 250, 9, 0.8), (32, 60, 7, 0.9)];

#[tokio::main]
async fn main() {
    if !env::args().any(|argument| argument == "--bench") {
        return;
    }
    let Ok(address) = env::var("COT_POSTGRES") else {
        println!("skipped: COT_POSTGRES has no address of a server");
        return;
    };
    let pool = PgPoolOptions::new().max_connections(40).min_connections(40);
    let pool = pool.connect(&address).await.expect("a server");
    println!("runs  steps{:>13}{:>14}{:>8}   committed steps", "by hand", "store", "ratio");
    for (runs, steps, laps, target) in LAPS {
        print_speed(&pool, (runs, steps, laps), target).await;
    }
    print_size(&pool).await;
    waiting::print(&pool).await;
}

/// Returns the name of a schema that is not used yet.
fn schema() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("bench_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

async fn drop_schema(pool: &PgPool, schema: &str) {
    let sql = format!("DROP SCHEMA {schema} CASCADE");
    sqlx::raw_sql(&sql).execute(pool).await.expect("a schema");
}

/// Both sides take turns, so that other load affects them equally. The result is the median ratio of consecutive laps.
async fn print_speed(pool: &PgPool, (runs, steps, laps): (usize, usize, usize), target: f64) {
    let (mut hand, mut store, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let replies = replies(steps, true);
    let a_second = |time: Duration| (runs * (steps + 1)) as f64 / time.as_secs_f64();
    for _ in 0..laps {
        let names = [schema(), schema()];
        let table = Table::create(pool, &names[0]).await;
        let began = Instant::now();
        let tasks = (0..runs).map(|_| {
            let (table, replies) = (table.clone(), replies.clone());
            tokio::spawn(async move { by_hand(&replies, &table).await })
        });
        join_all(tasks).await.into_iter().for_each(|task| drop(task.expect("it runs")));
        let by_hand = a_second(began.elapsed());

        let opened =
            PgStore::options().schema(&*names[1]).open(pool.clone()).await.expect("a store");
        let began = Instant::now();
        on_store(&opened, &replies, runs).await;
        let on_store = a_second(began.elapsed());
        hand.push(by_hand);
        store.push(on_store);
        ratios.push(on_store / by_hand);
        opened.close().await;
        for name in names {
            drop_schema(pool, &name).await;
        }
    }
    let (hand, store, ratio) = (median(hand), median(store), median(ratios));
    println!("{runs:>4}{steps:>7}{hand:>11.0}/s{store:>12.0}/s{ratio:>8.2}   (at least {target})");
}

/// Runs this many runs concurrently.
async fn on_store(store: &PgStore, replies: &[String], runs: usize) {
    let tasks = (0..runs).map(|number| {
        let runner = DsBuilder::runner().model(Prepared::new(replies.to_vec()));
        let runner = runner.store(store.clone()).run_id(&*format!("run-{number}"));
        tokio::spawn(async move { runner.run(BuilderState::default()).await.map(drop) })
    });
    for run in join_all(tasks).await {
        run.expect("a task").expect("it runs");
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

async fn print_size(pool: &PgPool) {
    const STEPS: usize = 1000;
    let names = [schema(), schema()];
    let table = Table::create(pool, &names[0]).await;
    by_hand(&replies(STEPS, true), &table).await;
    let store = PgStore::options().schema(&*names[1]).open(pool.clone()).await.expect("a store");
    on_store(&store, &replies(STEPS, true), 1).await;
    store.close().await;
    let mut sizes = Vec::new();
    for name in &names {
        let sql = "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c \
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = $1 AND relkind = 'r'";
        let size: i64 = sqlx::query_scalar(sql).bind(name).fetch_one(pool).await.expect("a size");
        sizes.push(size / STEPS as i64);
        drop_schema(pool, name).await;
    }
    println!("bytes a step: {} by hand, {} in the store", sizes[0], sizes[1]);
}
