//! Releases of leases while the database can't be written.

use std::time::Duration;

use cot_core::store::{Lease, Store, StoreError};
use cot_sqlite::{SqliteStore, Synchronous};
use rusqlite::Connection;

use crate::kit::{Place, begun, describe_panic, id, run_of};

/// A store with a short timeout for a locked database.
fn impatient(place: &Place) -> SqliteStore {
    let options = SqliteStore::options().synchronous(Synchronous::Normal);
    options.busy_timeout(Duration::from_millis(20)).open(&place.path).unwrap()
}

fn locked(place: &Place) -> Connection {
    let connection = place.sql();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

/// Drops leases and waits until the release was attempted.
async fn drop_in_vain(store: &SqliteStore, leases: Vec<Lease>) {
    drop(leases);
    // This task comes after the release.
    let refused = store.remove(&id("nobody")).await.unwrap_err();
    assert!(
        describe_panic(&refused).contains("kept the database locked"),
        "{}",
        describe_panic(&refused)
    );
}

fn leases(place: &Place) -> i64 {
    place.sql().query_row("SELECT COUNT(*) FROM leases", [], |row| row.get(0)).unwrap()
}

async fn is_driven_for(store: &SqliteStore, run: &str) -> bool {
    match store.acquire(&id(run)).await {
        Ok(_) => false,
        Err(StoreError::Leased { .. }) => true,
        Err(error) => panic!("{}", describe_panic(&error)),
    }
}

#[tokio::test]
async fn what_could_not_be_given_back_goes_with_what_is_written_next() {
    let place = Place::new();
    let (store, other) = (impatient(&place), place.open());
    let (_, one) = run_of(&store, "one", vec![begun()]).await;
    let (_, two) = run_of(&store, "two", vec![begun()]).await;
    let lock = locked(&place);
    drop_in_vain(&store, vec![one, two]).await;
    drop_in_vain(&store, Vec::new()).await;
    assert_eq!(leases(&place), 2, "the database still has them");
    drop(lock);

    let (_, kept) = run_of(&store, "three", vec![begun()]).await;
    for run in ["one", "two"] {
        assert!(!is_driven_for(&other, run).await, "{run}");
    }
    assert!(is_driven_for(&other, "three").await, "and no other was given back with them");
    store.append(&kept, Vec::new()).await.unwrap();
}

#[tokio::test]
async fn what_could_not_be_given_back_is_so_later_though_nothing_is_written() {
    let place = Place::new();
    let (store, other) = (impatient(&place), place.open());
    let (_, lease) = run_of(&store, "run", vec![begun()]).await;
    let lock = locked(&place);
    drop_in_vain(&store, vec![lease]).await;
    drop(lock);
    let is_free = async {
        while is_driven_for(&other, "run").await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), is_free).await.unwrap();
    drop(store);
}

#[tokio::test]
async fn a_store_that_took_the_run_again_keeps_it() {
    let place = Place::new();
    let (store, other) = (impatient(&place), place.open());
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    let lock = locked(&place);
    drop_in_vain(&store, vec![lease]).await;
    drop(lock);
    let again = store.acquire(&run).await.unwrap();
    drop(store.acquire(&id("another")).await.unwrap());
    assert!(is_driven_for(&other, "run").await);
    store.append(&again, vec![crate::kit::changed(1)]).await.unwrap();
}

#[tokio::test]
async fn a_store_that_is_closed_leaves_no_lease_behind() {
    let place = Place::new();
    let store = impatient(&place);
    let (_, lease) = run_of(&store, "run", vec![begun()]).await;
    let lock = locked(&place);
    drop_in_vain(&store, vec![lease]).await;
    drop(lock);
    drop(store);
    assert_eq!(leases(&place), 0);
}
