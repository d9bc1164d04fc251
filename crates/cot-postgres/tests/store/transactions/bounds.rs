//! What functions leave that keeps their transaction from being committed.

use std::{sync::Arc, time::Duration};

use cot_core::{
    prelude::*,
    store::{Store, StoreError},
};
use serde::{Deserialize, Serialize};
use sqlx::{Executor as _, PgConnection};
use tokio::sync::Notify;

use super::{
    exactly_once::{LONG, Place},
    shop::{Fault, Faults, Trouble, Try},
};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Nothing {}

/// What the function says to the server before and after it writes its row, and its hold between.
#[derive(Clone, Default)]
struct Act {
    before: String,
    after: String,
    hold: Option<Arc<(Notify, Notify)>>,
}

cot_process! {
    process Once {
        state: Nothing,
        context: Act,
        task act { run: act, effect: transaction, next: done }
        task done { end }
    }
}

async fn act(_: &Nothing, db: &mut PgConnection, cx: &Cx<'_, Once>) -> Result<(), sqlx::Error> {
    let Act { before, after, hold } = cx.app();
    db.execute(&**before).await?;
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM effects").fetch_one(&mut *db).await?;
    let insert = sqlx::query("INSERT INTO effects (key) VALUES ($1)").bind(format!("act {rows}"));
    insert.execute(&mut *db).await?;
    if let Some(hold) = hold {
        hold.0.notify_one();
        hold.1.notified().await;
    }
    db.execute(&**after).await.map(drop)
}

fn after(statement: &str) -> Act {
    Act { after: statement.to_owned(), ..Act::default() }
}

#[tokio::test]
async fn settings_of_a_function_do_not_keep_the_store_from_appending() {
    let Some(place) = Place::new(LONG).await else { return };
    let role = format!("nobody_{}", place.schema);
    place.pool.execute(&*format!("CREATE ROLE {role}")).await.unwrap();
    let settings = format!("SET LOCAL ROLE {role}; SET LOCAL statement_timeout = '60s'");
    let runner = Once::runner(after(&settings)).store(place.store.clone());
    runner.run(Nothing {}).await.unwrap();
    assert_eq!(place.rows().await, ["act 0"]);
    place.pool.execute(&*format!("DROP ROLE {role}")).await.unwrap();
}

#[tokio::test]
async fn a_transaction_that_can_not_be_committed_fails_the_attempt() {
    let Some(place) = Place::new(LONG).await else { return };
    let family = "CREATE TABLE parents (id int PRIMARY KEY);
        CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)";
    place.pool.execute(family).await.unwrap();
    let acts = [
        ("SET TRANSACTION READ ONLY", "the function has made the transaction read-only"),
        ("INSERT INTO children VALUES (7)", "violates foreign key constraint"),
    ];
    for (statement, text) in acts {
        let runner = Once::runner(after(statement)).store(place.store.clone());
        let error = format!("{:?}", runner.run(Nothing {}).await.unwrap_err());
        assert!(error.contains(text), "{error}");
    }
    assert!(place.rows().await.is_empty());
}

const SERIALIZABLE: &str = "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE";

/// Commits what the function that holds has not seen.
async fn interfere(place: &Place, (holds, continues): &(Notify, Notify)) {
    holds.notified().await;
    let mut other = place.pool.begin().await.unwrap();
    other.execute(SERIALIZABLE).await.unwrap();
    other.execute("INSERT INTO effects SELECT count(*) FROM effects").await.unwrap();
    other.commit().await.unwrap();
    continues.notify_one();
}

/// A worker does not take it for a failure of the store, for which it would pause without an end.
#[tokio::test]
async fn a_conflict_at_the_commit_is_one_of_the_run() {
    let Some(place) = Place::new(LONG).await else { return };
    let hold = Arc::<(Notify, Notify)>::default();
    let act =
        Act { before: SERIALIZABLE.to_owned(), hold: Some(Arc::clone(&hold)), ..Act::default() };
    let runner = Once::runner(act).store(place.store.clone()).run_id("run");
    let (ended, ()) = tokio::join!(runner.run(Nothing {}), interfere(&place, &hold));
    let error = ended.unwrap_err();
    assert!(matches!(error, RunError::Store(StoreError::Uncommitted { .. })), "{error:?}");
    let worker = runner.worker(place.store.clone()).max_crashes(2);
    let (ended, ()) = tokio::join!(worker.run_until_idle(), async {
        interfere(&place, &hold).await;
        interfere(&place, &hold).await;
    });
    ended.unwrap();
    assert_eq!(place.rows().await, ["0", "1", "2"]);
    let run = "run".parse().unwrap();
    let why = place.store.run(&run).await.unwrap().unwrap().set_aside.unwrap().why;
    assert!(why.contains("can't be committed"), "{why}");
    assert!(place.store.retry(&run).await.unwrap());
    hold.1.notify_one();
    runner.run(Nothing {}).await.unwrap();
    assert_eq!(place.rows().await, ["0", "1", "2", "act 3"]);
}

#[tokio::test]
async fn a_connection_that_is_lost_in_a_function_fails_the_attempt() {
    let Some(place) = Place::new(LONG).await else { return };
    let faults = Faults::new(&[Fault::Wait]);
    let runner = Trouble::runner(faults.clone()).store(place.store.clone());
    let (ended, ()) = tokio::join!(runner.run(Try::default()), async {
        faults.hangs.notified().await;
        let end = "SELECT pg_terminate_backend(pid) FROM pg_locks \
                   WHERE relation = 'effects'::regclass AND pid <> pg_backend_pid()";
        place.pool.execute(end).await.unwrap();
        faults.waits.notify_one();
    });
    assert_eq!((&*ended.unwrap().state.result, faults.calls()), ("None", 2));
    assert_eq!(place.rows().await, ["None"]);
}

/// The server accepts no longer time than 24.8 days.
#[tokio::test]
async fn a_limit_may_be_long() {
    let Some(place) = Place::new(Duration::from_secs(1 << 40)).await else { return };
    let runner = Once::runner(Act::default()).store(place.store.clone());
    runner.run(Nothing {}).await.unwrap();
    assert_eq!(place.rows().await, ["act 0"]);
}
