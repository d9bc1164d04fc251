//! Databases that vanish, are replaced, locked, or of another version while they are used.

use std::{fs, time::Duration};

use cot_core::store::{CancelRequest, DueFilter, RunFilter, Store, StoreError};
use cot_sqlite::SqliteStore;

use crate::kit::{Place, at, begun, changed, describe_panic, id, key, run_of};

fn open_error(options: &cot_sqlite::SqliteOptions, place: &Place) -> StoreError {
    options.open(&place.path).map(drop).unwrap_err()
}

fn is_gone<T: std::fmt::Debug>(outcome: Result<T, StoreError>, said: &str) {
    let error = outcome.unwrap_err();
    assert!(matches!(error, StoreError::Gone { .. }), "{}", describe_panic(&error));
    assert!(error.to_string().contains(said), "{error}");
}

async fn nothing_works(store: &SqliteStore, said: &str) {
    // Commits look at the file now and then.
    tokio::time::sleep(Duration::from_millis(60)).await;
    let run = id("run");
    is_gone(store.runs(&RunFilter::default()).await, said);
    is_gone(store.count(&RunFilter::default()).await, said);
    is_gone(store.run(&run).await, said);
    is_gone(store.entries(&run, 0, 9).await, said);
    is_gone(store.due(&DueFilter::new(vec![], at(0), 9)).await, said);
    is_gone(store.drafts(&run).await, said);
    is_gone(store.acquire(&run).await, said);
    is_gone(store.request_cancel(&run, CancelRequest::new("", at(0))).await, said);
    is_gone(store.wait_for_answer(&run, &key("a#1@1")).await, said);
    is_gone(store.wait_for_cancel(&run).await, said);
}

#[cfg(unix)]
#[tokio::test]
async fn a_deleted_database_is_noticed() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    let waiting = tokio::spawn({
        let (store, run) = (store.clone(), run.clone());
        async move { store.wait_for_cancel(&run).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    for extension in ["db", "db-wal", "db-shm"] {
        fs::remove_file(place.path.with_extension(extension)).unwrap();
    }
    nothing_works(&store, "does not exist any more").await;
    is_gone(store.append(&lease, vec![changed(1)]).await, "does not exist any more");
    is_gone(waiting.await.unwrap(), "does not exist any more");
    // A new one is a new store.
    let new = place.open();
    assert_eq!(new.count(&RunFilter::default()).await.unwrap(), 0);
    nothing_works(&store, "another file").await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_replaced_database_is_noticed_by_those_who_only_look() {
    let place = Place::new();
    let store = place.open();
    drop(run_of(&store, "run", vec![begun()]).await);
    let copy = place.path.with_extension("copy");
    store.back_up(&copy).await.unwrap();
    drop(store);
    let looking = SqliteStore::options().read_only().open(&place.path).unwrap();
    assert_eq!(looking.count(&RunFilter::default()).await.unwrap(), 1);
    fs::rename(&copy, &place.path).unwrap();
    is_gone(looking.runs(&RunFilter::default()).await, "open it again");
    is_gone(looking.wait_for_cancel(&id("run")).await, "open it again");
    let again = SqliteStore::options().read_only().open(&place.path).unwrap();
    assert_eq!(again.count(&RunFilter::default()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_locked_database_is_told_from_a_broken_one() {
    let place = Place::new();
    let options = SqliteStore::options().busy_timeout(Duration::from_millis(30));
    let store = options.open(&place.path).unwrap();
    drop(run_of(&store, "run", vec![begun()]).await);
    let other = place.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.acquire(&id("run")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Locked { .. }), "{}", describe_panic(&refused));
    assert_eq!(store.count(&RunFilter::default()).await.unwrap(), 1, "readers do not wait");
    other.execute_batch("COMMIT").unwrap();
    store.acquire(&id("run")).await.unwrap();
    drop(store);

    // Exclusively, by a tool that does not know of write-ahead logs.
    let place = Place::new();
    drop(options.open(&place.path).unwrap());
    let other = place.sql();
    other.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT").unwrap();
    let refused = open_error(&options, &place);
    assert!(matches!(refused, StoreError::Locked { .. }), "{}", describe_panic(&refused));
    assert!(refused.to_string().contains(place.path.to_str().unwrap()), "{refused}");
}

#[tokio::test]
async fn other_databases_and_versions_have_errors_of_their_own() {
    let reading = SqliteStore::options().read_only();
    let place = Place::new();
    place.sql().execute_batch("CREATE TABLE letters (text TEXT)").unwrap();
    for options in [&reading, &SqliteStore::options()] {
        let error = open_error(options, &place);
        assert!(matches!(error, StoreError::NotAStore { .. }), "{}", describe_panic(&error));
    }
    fs::write(&place.path, "no database at all, but some text".repeat(99)).unwrap();
    for options in [&reading, &SqliteStore::options()] {
        let error = open_error(options, &place);
        assert!(matches!(error, StoreError::NotAStore { .. }), "{}", describe_panic(&error));
    }

    let place = Place::new();
    drop(place.open());
    place.sql().pragma_update(None, "user_version", 99).unwrap();
    for options in [&reading, &SqliteStore::options()] {
        let error = open_error(options, &place);
        let StoreError::UnsupportedVersion { version: 99, supported: 1, .. } = &error else {
            panic!("{}", describe_panic(&error))
        };
        assert!(describe_panic(&error).contains("a newer program wrote it"));
    }

    place.sql().pragma_update(None, "user_version", 0).unwrap();
    let before = fs::read(&place.path).unwrap();
    let error = open_error(&reading, &place);
    let StoreError::UnsupportedVersion { version: 0, supported: 1, .. } = &error else {
        panic!("{}", describe_panic(&error))
    };
    assert!(describe_panic(&error).contains("open it for writing once"));
    assert!(fs::read(&place.path).unwrap() == before, "it is not migrated");
}
