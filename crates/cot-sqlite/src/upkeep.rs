//! The functions of a store that maintain its database.

use std::{path::PathBuf, time::SystemTime};

use cot_store::{RunId, StoreError};

use crate::{maintenance, store::SqliteStore, writing::write_connection::WriteConnection};

impl SqliteStore {
    /// Removes the ended runs whose last entry is older than `before`. Returns how many. Their space in
    /// the file is reused; [`vacuum`](Self::vacuum) shrinks the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the store can't be written.
    pub async fn prune(&self, before: SystemTime) -> Result<u64, StoreError> {
        let prune = move |db: &mut WriteConnection| maintenance::prune(db, before);
        self.inner.writer.perform("removing old runs", prune).await
    }

    /// Removes texts that no run uses and shrinks the file to its minimal size. Blocks all other
    /// writes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store can't be written. Needs as much free disk space as the size of the
    /// database.
    pub async fn vacuum(&self) -> Result<(), StoreError> {
        self.inner.writer.perform("removing unused texts", maintenance::drop_unused_texts).await?;
        self.inner
            .writer
            .perform_outside_transaction("shrinking the file", maintenance::vacuum)
            .await
    }

    /// Copies the store in its current state to a new file. Runs continue meanwhile.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists or can't be written.
    pub async fn back_up(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let to = to.into();
        let back_up = move |connection: &_| maintenance::back_up(connection, &to);
        self.inner.readers.perform("making a backup", back_up).await
    }

    /// Removes the entries of a run from number `from`, for journals with unreadable entries. Returns
    /// how many were removed. The run resumes from the remaining entries and repeats the calls of the
    /// removed ones; answers that are not yet consumed are removed too.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] if the run is driven; [`StoreError::Corrupt`]
    /// if an earlier entry is unreadable or missing. Fails if no entry would remain: use
    /// [`remove`](cot_store::Store::remove) instead.
    pub async fn cut(&self, run: &RunId, from: u64) -> Result<u64, StoreError> {
        let run = run.clone();
        let cut = move |db: &mut WriteConnection| maintenance::cut(db, &run, from);
        self.inner.writer.perform("cutting a journal", cut).await
    }
}
