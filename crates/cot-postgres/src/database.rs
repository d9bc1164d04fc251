//! The database: the pool, the schema, and how often an operation is tried.

use std::{borrow::Cow, time::Duration};

use cot_store::StoreError;
use sqlx::PgPool;
use tokio::time::{Instant, sleep};

use crate::error::{OperationError, Trouble};

/// The schema in the texts of statements, which is replaced by the one that is used.
const SCHEMA: &str = "cot.";

/// How long an operation is repeated when its connection is lost.
const PATIENCE: Duration = Duration::from_secs(15);

/// How often an operation is repeated that was in the way of others.
const MAX_CONFLICTS: u32 = 20;

/// A pool of connections, and the schema of the store.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    pub(crate) pool: PgPool,
    pub(crate) schema: Cow<'static, str>,
}

impl Database {
    /// Returns a statement that names tables of the schema `cot` for the schema of this store.
    pub(crate) fn sql(&self, statement: impl Into<Cow<'static, str>>) -> Cow<'static, str> {
        let statement = statement.into();
        if self.schema == "cot" {
            statement
        } else {
            Cow::Owned(statement.replace(SCHEMA, &format!("{}.", self.schema)))
        }
    }

    /// Returns the channel of notifications.
    pub(crate) fn channel(&self) -> String {
        format!("{}_runs", self.schema)
    }

    /// Tries an operation until it succeeds or fails for good. It gets the number of the attempt; if that is not 0, an
    /// earlier attempt may have been done without this program having heard of it.
    pub(crate) async fn attempt<T, F>(
        &self,
        what: &str,
        mut operation: impl FnMut(u32) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, OperationError>>,
    {
        let began = Instant::now();
        for attempt in 0.. {
            let error = match operation(attempt).await {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let is_over = match error.trouble() {
                Trouble::Conflict => attempt >= MAX_CONFLICTS,
                Trouble::Connection => began.elapsed() >= PATIENCE,
                Trouble::Lasting => true,
            };
            if is_over {
                return Err(error.into_error(what));
            }
            // Some chance keeps those apart that were in each other's way.
            let pause = 5 << attempt.min(7);
            sleep(Duration::from_millis(pause + fastrand::u64(..=pause))).await;
        }
        Err(crate::error::failed(what, "", "it was tried too often"))
    }
}
