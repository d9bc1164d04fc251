//! The contract that all stores keep.

use cot_core::testing::check_store;
use cot_sqlite::{SqliteStore, Synchronous};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_sqlite_store_keeps_the_contract() {
    let folder = TempDir::new().unwrap();
    let number = std::cell::Cell::new(0);
    let options = SqliteStore::options().synchronous(Synchronous::Normal);
    check_store(async || {
        number.set(number.get() + 1);
        options.open(folder.path().join(format!("{}.db", number.get()))).unwrap()
    })
    .await;
}
