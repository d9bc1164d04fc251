//! The contract of all stores.

use cot_core::testing::check_store;
use cot_sqlite::{SqliteStore, Synchronous};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_waits_for_the_disk_keeps_the_contract() {
    keeps_the_contract(Synchronous::Full).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_does_not_wait_for_the_disk_keeps_the_contract() {
    keeps_the_contract(Synchronous::Normal).await;
}

async fn keeps_the_contract(synchronous: Synchronous) {
    let folder = TempDir::new().unwrap();
    let number = std::cell::Cell::new(0);
    let options = SqliteStore::options().synchronous(synchronous);
    check_store(async || {
        number.set(number.get() + 1);
        options.open(folder.path().join(format!("{}.db", number.get()))).unwrap()
    })
    .await;
}
