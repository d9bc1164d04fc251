//! The contract of all stores.

use cot_core::testing::check_store;

use crate::kit;

#[tokio::test(flavor = "multi_thread")]
async fn the_store_keeps_the_contract() {
    let Some(address) = kit::address() else { return };
    let pool = kit::pool(&address).await;
    check_store(async || kit::open(&pool).await).await;
}
