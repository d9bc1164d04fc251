//! The rows of functions and the journal agree.

use std::{env, path::Path, time::Duration};

use cot_core::store::Store;
use cot_sqlite::{SqliteStore, Synchronous};
use rusqlite::ErrorCode;

use super::{
    kills,
    shop::{self, Fault, Faults, Trouble, Try},
};
use crate::kit::Place;

pub(super) fn place() -> Place {
    let place = Place::new();
    drop(place.open());
    place.sql().execute_batch("CREATE TABLE effects (key TEXT NOT NULL)").unwrap();
    place
}

pub(super) fn rows(place: &Place) -> Vec<String> {
    let connection = place.sql();
    let mut rows = connection.prepare("SELECT key FROM effects ORDER BY rowid").unwrap();
    let rows = rows.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

pub(super) fn open(path: &Path) -> SqliteStore {
    let options = SqliteStore::options().synchronous(Synchronous::Normal);
    options.transaction_limit(Duration::from_millis(300)).open(path).unwrap()
}

#[tokio::test]
async fn items_branches_and_sub_processes_write_once() {
    let place = place();
    shop::writes_once(place.open()).await;
    shop::check_rows(&rows(&place), 1);
}

#[tokio::test]
async fn what_fails_is_rolled_back() {
    let place = place();
    shop::rolls_back(open(&place.path)).await;
    assert_eq!(rows(&place), ["None"; 5]);
}

#[tokio::test]
async fn panics_are_rolled_back() {
    let place = place();
    shop::panics_roll_back(open(&place.path)).await;
    assert!(rows(&place).is_empty());
}

#[tokio::test]
async fn a_cancelled_function_is_rolled_back() {
    let place = place();
    shop::cancels_roll_back(place.open()).await;
    assert!(rows(&place).is_empty());
}

/// A reader sees nothing of a function that has not committed, and does not wait for it; writers do.
#[tokio::test(flavor = "multi_thread")]
async fn others_read_beside_a_function() {
    let place = place();
    let faults = Faults::new(&[Fault::Wait]);
    let store = place.open();
    let runner = Trouble::runner(faults.clone()).store(store.clone()).run_id("slow");
    let (ended, ()) = tokio::join!(runner.run(Try::default()), async {
        faults.hangs.notified().await;
        assert!(rows(&place).is_empty());
        let other = place.sql();
        other.busy_timeout(Duration::ZERO).unwrap();
        let written = other.execute("INSERT INTO effects (key) VALUES ('other')", []);
        assert_eq!(written.unwrap_err().sqlite_error_code(), Some(ErrorCode::DatabaseBusy));
        let run = store.run(&"slow".parse().unwrap()).await.unwrap().unwrap();
        assert!(!run.status.is_ended() && run.is_driven);
        faults.waits.notify_one();
    });
    assert_eq!(ended.unwrap().state.result, "Wait");
    assert_eq!(rows(&place), ["Wait"]);
}

/// No test, but the program that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the program of the other tests"]
async fn program() {
    let Some(path) = env::var_os(kills::PLACE) else { return };
    kills::work(open(Path::new(&path))).await;
}

async fn survive(at_once: usize, kills: usize) {
    let place = place();
    let spawn = || kills::spawn(place.path.to_str().unwrap());
    kills::survive(place.open(), async || rows(&place), spawn, (at_once, kills)).await;
}

#[tokio::test]
async fn kills_double_and_lose_no_row() {
    survive(20, 10).await;
}

#[tokio::test]
#[ignore = "it takes long: a step of `.ci/long`"]
async fn a_thousand_kills_double_and_lose_no_row() {
    survive(50, 1000).await;
}
