//! What the programs that drive runs and those that show them tell each other: requests to cancel, drafts of replies
//! and descriptions of processes.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use cot_core::store::{
    CancelRequest, Draft, DueFilter, ProcessDescription, RunId, SetAside, Store, StoreError,
};
use cot_sqlite::SqliteStore;
use futures_util::FutureExt;
use serde_json::json;

use crate::kit::{
    Place, asking, at, begun, changed, ended, entries, id, key, replied, run_of, whole,
};

fn cancelled() -> cot_core::store::Record {
    let record = json!({ "event": { "at": 1_700_000_000_000_u64, "event": { "cancelled": { "reason": "enough" } } } });
    serde_json::from_value(record).unwrap()
}

async fn due(store: &SqliteStore) -> Vec<String> {
    let filter = DueFilter::new(vec!["Process".to_owned()], std::time::SystemTime::now(), 9);
    let due = store.due(&filter).await.unwrap();
    due.into_iter().map(|due| due.run.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_cancels_and_the_driver_learns_it() {
    let place = Place::new();
    let (driver, other) = (place.open(), place.open());
    let (run, lease) = run_of(&driver, "run", vec![begun()]).await;
    let waiting = tokio::spawn({
        let (driver, run) = (driver.clone(), run.clone());
        async move { driver.wait_for_cancel(&run).await.unwrap() }
    });
    other.request_cancel(&run, CancelRequest::new("enough", at(7))).await.unwrap();
    other.request_cancel(&run, CancelRequest::new("too late", at(8))).await.unwrap();
    assert_eq!(waiting.await.unwrap(), CancelRequest::new("enough", at(7)));
    let requested = driver.run(&run).await.unwrap().unwrap().cancel_requested;
    assert_eq!(requested, Some(CancelRequest::new("enough", at(7))));

    // The driver applies it, in a commit.
    driver.append(&lease, vec![cancelled()]).await.unwrap();
    assert_eq!(other.run(&run).await.unwrap().unwrap().cancel_requested, None);
    driver.append(&lease, vec![whole(1, ended())]).await.unwrap();
    let refused = other.request_cancel(&run, CancelRequest::new("again", at(9))).await;
    assert!(matches!(refused, Err(StoreError::HasEnded { .. })));
    let left: i64 =
        place.sql().query_row("SELECT COUNT(*) FROM cancels", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_run_to_be_cancelled_is_due_until_it_is_also_after_a_restart() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "asks", vec![begun(), whole(1, asking("a#1@1"))]).await;
    drop(lease);
    let (poison, lease) = run_of(&store, "poison", vec![begun(), whole(1, asking("a#1@1"))]).await;
    store.set_aside(&lease, SetAside::new("poison", at(1))).await.unwrap();
    drop(lease);
    for run in [&run, &poison] {
        store.request_cancel(run, CancelRequest::new("", at(2))).await.unwrap();
    }
    let unknown = store.request_cancel(&id("nobody"), CancelRequest::new("", at(2))).await;
    assert!(matches!(unknown, Err(StoreError::UnknownRun { .. })));
    drop(store);

    let store = place.open();
    assert_eq!(due(&store).await, ["asks", "poison"]);
    let request = store.wait_for_cancel(&run).await.unwrap();
    assert_eq!(request, CancelRequest::new("", at(2)));
    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![cancelled(), whole(2, ended())]).await.unwrap();
    drop(lease);
    store.remove(&poison).await.unwrap();
    assert_eq!(due(&store).await, [""; 0]);
    assert!(store.wait_for_cancel(&run).now_or_never().is_none());
}

fn draft(call: &str, text: &str) -> Draft {
    Draft::new(key(call), text, "")
}

async fn texts(store: &SqliteStore, run: &RunId) -> Vec<String> {
    store.drafts(run).await.unwrap().into_iter().map(|draft| draft.text).collect()
}

/// The files with drafts beside the database.
fn files(place: &Place) -> Vec<PathBuf> {
    let folder = fs::read_dir(place.path.with_extension("db.owners")).unwrap();
    let files = folder.map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_none_or(|kind| kind != "lock")).collect()
}

#[tokio::test]
async fn drafts_are_seen_by_all_programs_until_the_reply_is_there() {
    let place = Place::new();
    let (driver, other) = (place.open(), place.open());
    let (run, lease) = run_of(&driver, "run", vec![begun()]).await;
    driver.put_draft(&lease, draft("a#1[0]@1", "Dear")).await.unwrap();
    assert_eq!(texts(&other, &run).await, ["Dear"]);
    driver.put_draft(&lease, draft("a#1[1]@1", "Hello")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(120)).await;
    driver.put_draft(&lease, Draft::new(key("a#1[0]@1"), "Dear all", "hm")).await.unwrap();
    for store in [&driver, &other] {
        assert_eq!(texts(store, &run).await, ["Dear all", "Hello"]);
        assert_eq!(store.drafts(&run).await.unwrap()[0].thought, "hm");
    }
    assert_eq!(texts(&other, &id("nobody")).await, [""; 0]);

    driver.append(&lease, vec![replied("a#1[0]@1", "x", "{}")]).await.unwrap();
    assert_eq!(texts(&driver, &run).await, ["Hello"]);
    // The file is written in the background, before other reads.
    assert_eq!(texts(&driver, &run).await, ["Hello"]);
    assert_eq!(texts(&other, &run).await, ["Hello"]);
    driver.put_draft(&lease, draft("a#1[1]@1", "")).await.unwrap();
    assert_eq!(texts(&other, &run).await, [""; 0]);
    assert_eq!(files(&place), [""; 0].map(PathBuf::from));

    driver.put_draft(&lease, draft("b#1@1", "To be continued")).await.unwrap();
    drop(lease);
    for store in [&driver, &other] {
        assert_eq!(texts(store, &run).await, [""; 0]);
    }
    assert_eq!(files(&place), [""; 0].map(PathBuf::from));
}

#[tokio::test]
async fn drafts_are_no_part_of_the_database() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun(), changed(1)]).await;
    let log = place.path.with_extension("db-wal");
    let before = (fs::read(&log).unwrap(), fs::read(&place.path).unwrap());
    for number in 0..50 {
        store.put_draft(&lease, draft("a#1@1", &"y".repeat(1000 * number))).await.unwrap();
    }
    assert!((fs::read(&log).unwrap(), fs::read(&place.path).unwrap()) == before);
    assert_eq!(texts(&store, &run).await[0].len(), 49_000);
    store.append(&lease, vec![whole(2, ended())]).await.unwrap();
    assert_eq!(texts(&store, &run).await, [""; 0]);
    assert_eq!(files(&place), [""; 0].map(PathBuf::from));
}

/// What a program left that died while a model wrote.
#[tokio::test]
async fn drafts_of_the_dead_are_not_shown_and_are_cleared_away() {
    let place = Place::new();
    let store = place.open();
    let (run, _lease) = run_of(&store, "run", vec![begun()]).await;
    let sql = place.sql();
    sql.execute("DELETE FROM leases", []).unwrap();
    sql.execute("INSERT INTO leases VALUES (99, 'run', '1-00', 0)", []).unwrap();
    let left = place.path.with_extension("db.owners").join("1-00.99.drafts");
    fs::write(&left, serde_json::to_vec(&[draft("a#1@1", "Dear")]).unwrap()).unwrap();
    assert_eq!(texts(&store, &run).await, [""; 0]);
    let next = place.open();
    drop(next.acquire(&run).await.unwrap());
    assert!(!left.exists());
}

#[tokio::test]
async fn drafts_that_can_not_be_written_do_not_harm_the_run() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    fs::remove_dir_all(place.path.with_extension("db.owners")).unwrap();
    assert!(store.put_draft(&lease, draft("a#1@1", "Dear")).await.is_err());
    store.append(&lease, vec![replied("a#1@1", "x", "{}")]).await.unwrap();
    assert_eq!(entries(&store, &run).await.len(), 2);
}

#[tokio::test]
async fn the_last_description_of_a_process_is_kept() {
    let place = Place::new();
    let store = place.open();
    let version =
        |version: &str| ProcessDescription::new("Letters", version, json!({ "tasks": [version] }));
    assert_eq!(store.process("Letters").await.unwrap(), None);
    for text in ["1", "2", "2", "1"] {
        store.put_process(&version(text)).await.unwrap();
        assert_eq!(store.process("Letters").await.unwrap(), Some(version(text)));
    }
    let orders = ProcessDescription::new("Älteres", "1", json!({}));
    store.put_process(&orders).await.unwrap();
    drop(store);
    let reading = SqliteStore::options().read_only().open(&place.path).unwrap();
    assert_eq!(reading.processes().await.unwrap(), [version("1"), orders]);
    let refused = reading.put_process(&version("3")).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly { .. })));
}

/// What is there already is not written again, as each start of a program would.
#[tokio::test]
async fn a_known_description_costs_no_commit() {
    let place = Place::new();
    let store = place.open();
    let description = ProcessDescription::new("Letters", "1", json!({ "tasks": [] }));
    store.put_process(&description).await.unwrap();
    let log = |path: &Path| fs::metadata(path.with_extension("db-wal")).unwrap().len();
    let before = log(&place.path);
    store.put_process(&description).await.unwrap();
    assert_eq!(log(&place.path), before);
}
