//! The server of the tests, and stores in it.

use std::{
    env, process,
    sync::atomic::{AtomicU32, Ordering},
};

use cot_postgres::{PgOptions, PgStore};
use sqlx::{PgPool, postgres::PgPoolOptions};

/// Returns the address of the server; `None`, and says so, if there is none.
pub(crate) fn address() -> Option<String> {
    let address = env::var("COT_POSTGRES").ok().filter(|address| !address.is_empty());
    if address.is_none() {
        // Written past the capture of tests, so that it is seen.
        let why = "SKIPPED: COT_POSTGRES has no address of a server; see crates/cot-postgres/tests/server.sh\n";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), why.as_bytes());
    }
    address
}

/// Connects to the server.
pub(crate) async fn pool(address: &str) -> PgPool {
    PgPoolOptions::new().max_connections(8).connect(address).await.unwrap()
}

/// Returns the name of a schema that no other test has.
pub(crate) fn schema() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("test_{}_{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn options() -> PgOptions {
    PgStore::options().schema(schema())
}

/// Tries until there is something, for ten seconds.
pub(crate) async fn until<T>(mut find: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..200 {
        if let Some(found) = find().await {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("it has not happened in time")
}
