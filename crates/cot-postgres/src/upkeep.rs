//! The functions of a store that maintain its tables.

use std::time::SystemTime;

use cot_store::{RunId, StoreError};

use crate::{maintenance, store::PgStore};

impl PgStore {
    /// Removes the ended runs whose last entry is older than `before`. Returns how many. What they have
    /// [spent](cot_store::Store::spending) is kept. Postgres reuses their space.
    ///
    /// # Errors
    ///
    /// An error if the store can't be written.
    pub async fn prune(&self, before: SystemTime) -> Result<u64, StoreError> {
        let db = &self.inner.db;
        let mut count = 0;
        loop {
            let prune = |_| maintenance::prune(db, &self.inner.owners, before);
            match db.attempt("removing old runs", prune).await? {
                0 => return Ok(count),
                removed => count += removed,
            }
        }
    }

    /// Removes the entries of a run from number `from`, for journals with unreadable entries. Returns how many were
    /// removed. The run resumes from the remaining entries and repeats the calls of the removed ones; an answer that
    /// is not yet consumed is removed too.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] if the run is driven; [`StoreError::Corrupt`] if an earlier
    /// entry is unreadable or missing. Fails if no entry would remain: use [`remove`](cot_store::Store::remove)
    /// instead.
    pub async fn cut(&self, run: &RunId, from: u64) -> Result<u64, StoreError> {
        let db = &self.inner.db;
        db.attempt("cutting a journal", |_| maintenance::cut(db, &self.inner.owners, run, from))
            .await
    }
}
