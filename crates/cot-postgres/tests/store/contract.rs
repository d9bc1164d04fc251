//! The contract of all stores.

use std::time::Duration;

use cot_core::testing::check_store;

use crate::kit;

#[tokio::test(flavor = "multi_thread")]
async fn the_store_keeps_the_contract() {
    let Some(address) = kit::address() else { return };
    let pool = kit::pool(&address).await;
    let options = || kit::options().lease_time(Duration::from_secs(2));
    check_store(async || options().open(pool.clone()).await.unwrap()).await;
}
