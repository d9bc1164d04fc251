//! What functions leave that keeps their transaction from being committed, and drivers that are not polled.

use std::{sync::Mutex, thread, time::Duration};

use cot_core::{RunEvent, prelude::*, store::StoreError};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::{
    exactly_once::{open, place, rows},
    shop::{Fault, Faults, Trouble, Try},
};
use crate::kit::Place;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Nothing {}

/// What the function does to the connection.
struct Act(Mutex<Statements>);

type Statements = Box<dyn FnMut(&mut Connection) + Send>;

cot_process! {
    process Once {
        state: Nothing,
        context: Act,
        task act { run: act, effect: transaction, next: done }
        task done { end }
    }
}

async fn act(_: &Nothing, db: &mut Connection, cx: &Cx<'_, Once>) -> Result<(), rusqlite::Error> {
    db.execute("INSERT INTO effects (key) VALUES ('act')", [])?;
    (cx.app().0.lock().unwrap())(db);
    Ok(())
}

/// Checks that a run fails with this text and leaves nothing, and that the next one writes.
async fn refuses(place: &Place, text: &str, act: impl FnMut(&mut Connection) + Send + 'static) {
    let store = open(&place.path);
    let runner = Once::runner(Act(Mutex::new(Box::new(act)))).store(store.clone());
    let error = runner.run_id("refused").run(Nothing {}).await.unwrap_err();
    let error = format!("{error:?}");
    assert!(error.contains(text), "{error}");
    assert!(rows(place).is_empty());
    let runner = Once::runner(Act(Mutex::new(Box::new(|_| {})))).store(store);
    runner.run_id("next").run(Nothing {}).await.unwrap();
    assert_eq!(rows(place), ["act"]);
}

const ENDED: &str = "the function has ended the transaction itself";

#[tokio::test]
async fn a_transaction_that_the_function_commits_is_rolled_back() {
    refuses(&place(), ENDED, |db| {
        assert!(db.execute_batch("COMMIT").is_err());
        db.execute_batch("BEGIN").unwrap();
        db.busy_timeout(Duration::ZERO).unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_transaction_that_a_statement_rolls_back_is_not_committed() {
    let place = place();
    place.sql().execute_batch("CREATE UNIQUE INDEX keys ON effects (key)").unwrap();
    refuses(&place, ENDED, |db| {
        let twice = "INSERT OR ROLLBACK INTO effects (key) VALUES ('act')";
        assert!(db.execute_batch(twice).is_err());
        db.execute_batch("BEGIN").unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_foreign_key_that_is_checked_at_the_commit_fails_the_attempt() {
    let place = place();
    let family = "CREATE TABLE parents (id INTEGER PRIMARY KEY);
        CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE pets (owner REFERENCES parents)";
    place.sql().execute_batch(family).unwrap();
    refuses(&place, "a foreign key of table `children` has no row", |db| {
        db.execute_batch("INSERT INTO children VALUES (7)").unwrap();
    })
    .await;
    place.sql().execute_batch("DELETE FROM effects; DELETE FROM runs").unwrap();
    refuses(&place, "a foreign key of table `pets` has no row", |db| {
        db.execute_batch("PRAGMA defer_foreign_keys = ON; INSERT INTO pets VALUES (7)").unwrap();
    })
    .await;
}

/// No timer ends it.
#[tokio::test]
async fn a_function_that_does_not_await_has_a_limit() {
    let text = "kept its transaction open for longer than";
    refuses(&place(), text, |_| thread::sleep(Duration::from_millis(400))).await;
}

/// A program waits for the store of its own run, instead of polling the run.
#[tokio::test]
async fn a_function_ends_while_its_run_is_not_polled() {
    let place = place();
    let store = open(&place.path);
    let faults = Faults::new(&[Fault::Hang]);
    let runner = Trouble::runner(faults.clone()).store(store.clone());
    let mut run = runner.clone().run_id("hangs").start(Try::default()).unwrap();
    tokio::select! {
        () = async { while run.next().await.is_some() {} } => panic!("the function hangs"),
        () = faults.hangs.notified() => {}
    }
    runner.run_id("other").submit(&Try::default()).await.unwrap();
    assert_eq!(run.finish().await.unwrap().state.result, "None");
    assert_eq!(rows(&place), ["None"]);
}

#[tokio::test]
async fn a_transaction_that_nobody_commits_is_rolled_back() {
    let place = place();
    let store = open(&place.path);
    let faults = Faults::new(&[Fault::Wait]);
    let runner = Trouble::runner(faults.clone()).store(store.clone());
    let mut run = runner.clone().run_id("waits").start(Try::default()).unwrap();
    tokio::select! {
        () = async { while run.next().await.is_some() {} } => panic!("the function waits"),
        () = faults.hangs.notified() => {}
    }
    faults.waits.notify_one();
    runner.run_id("other").submit(&Try::default()).await.unwrap();
    while let Some(event) = run.next().await {
        assert!(!matches!(event, RunEvent::Committed { .. }), "it was rolled back");
    }
    let error = run.finish().await.unwrap_err();
    assert!(matches!(error, RunError::Store(StoreError::Uncommitted { .. })), "{error:?}");
    assert!(format!("{error:?}").contains("did not poll its run"), "{error:?}");
    assert!(rows(&place).is_empty());
    // It can be continued.
    let again = Trouble::runner(Faults::new(&[])).store(store).run_id("waits");
    assert_eq!(again.run(Try::default()).await.unwrap().state.result, "None");
}
