//! Answers and starts among many waiting runs, and the idle queries of a worker.

use std::time::{Duration, Instant, SystemTime};

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::{Store, Submission},
};
use cot_postgres::PgStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;

use crate::{drop_schema, median, schema};

/// How many runs wait.
const WAITING: i64 = 100_000;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Order {
    is_good: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Approval {
    is_good: bool,
}

cot_process! {
    process Orders {
        state: Order,

        task approve -> Approval {
            ask: "Send it?",
            update: { is_good = output.is_good },
            next: done,
        }

        task done { end }
    }
}

pub(crate) async fn print(pool: &PgPool) {
    let name = schema();
    let store = PgStore::options().schema(&*name).open(pool.clone()).await.expect("a store");
    let runner = || Orders::runner().model(ScriptedModel::new([""; 0]));
    runner().store(store.clone()).run_id("run-0").submit(&Order::default()).await.expect("a run");
    runner().worker(store.clone()).run_until_idle().await.expect("it asks");
    store.close().await;
    fill(pool, &name).await;
    print_idle(pool, &name).await;
    let (mut answers, mut starts, mut looks) = (Vec::new(), Vec::new(), Vec::new());
    let key = "approve#1@1".to_owned().try_into().expect("a key");
    for number in 0..200 {
        let run = format!("run-{}", 1 + number * 499).parse().expect("a name");
        let answer = json!({ "is_good": true });
        answers.push(time(store.put_answer(&run, &key, answer)).await);
        let order = Submission::new("Others", &Order::default(), SystemTime::now()).expect("JSON");
        starts.push(time(store.submit(order)).await);
        let due = cot_core::store::DueFilter::new(vec!["Orders".to_owned()], SystemTime::now(), 65);
        looks.push(time(store.due(&due)).await);
    }
    println!(
        "among {WAITING} waiting runs: an answer {:.2} ms, a start {:.2} ms (at most 2), a look for due runs {:.2} ms",
        median(answers),
        median(starts),
        median(looks)
    );
    drop_schema(pool, &name).await;
}

/// Copies the row of the run that waits.
async fn fill(pool: &PgPool, schema: &str) {
    let sql = format!(
        "CREATE TEMP TABLE one AS SELECT * FROM {schema}.runs;
         ALTER TABLE one DROP COLUMN id, DROP COLUMN attention;
         DO $$ DECLARE columns text; BEGIN
             SELECT string_agg(column_name, ', ') INTO columns FROM information_schema.columns
                 WHERE table_name = 'one' AND column_name <> 'run';
             EXECUTE 'INSERT INTO {schema}.runs (run, ' || columns || ') SELECT ''run-'' || n, ' || columns
                 || ' FROM one, generate_series(1, {WAITING}) n';
         END $$;
         DROP TABLE one; ANALYZE {schema}.runs;"
    );
    sqlx::raw_sql(&sql).execute(pool).await.expect("rows");
}

async fn time<T, E: std::fmt::Debug>(work: impl Future<Output = Result<T, E>>) -> f64 {
    let began = Instant::now();
    work.await.expect("it works");
    began.elapsed().as_secs_f64() * 1e3
}

/// Counts the transactions of the database while a worker waits.
async fn print_idle(pool: &PgPool, schema: &str) {
    let store = PgStore::options().schema(schema).open(pool.clone()).await.expect("a store");
    let runner = Orders::runner().model(ScriptedModel::new([""; 0]));
    let worker = tokio::spawn(runner.worker(store).run());
    tokio::time::sleep(Duration::from_secs(4)).await;
    let before = transactions(pool).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    let idle = (transactions(pool).await - before) as f64 / 20.0;
    worker.abort();
    println!(
        "transactions a second in the whole database while a worker waits: {idle:.2} (1 is of the worker)"
    );
}

async fn transactions(pool: &PgPool) -> i64 {
    // The statistics of idle connections are up to a second late, on both sides.
    let sql = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()";
    sqlx::query_scalar(sql).fetch_one(pool).await.expect("statistics")
}
