//! The only module that reads a clock: time limits and pauses.
#![expect(clippy::disallowed_methods, reason = "the one module that may use clocks")]

use std::time::Duration;

/// Awaits a future until a time limit; `None` if the limit passes first.
pub(crate) async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    tokio::time::timeout(limit, future).await.ok()
}

/// Waits for a duration.
pub(crate) async fn wait(duration: Duration) {
    tokio::time::sleep(duration).await;
}
