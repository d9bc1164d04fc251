//! The store that a command is about.

use std::{error::Error, fs, io, path::PathBuf};

use clap::Args;
use cot_core::store::{RunId, RunSummary, Store, StoreError};
use cot_sqlite::SqliteStore;
use thiserror::Error;

/// Which store.
#[derive(Debug, Args)]
pub(super) struct StoreFile {
    /// The SQLite file in which the runs are kept.
    #[arg(long = "store", env = "COT_STORE", hide_env_values = true, value_name = "FILE")]
    path: PathBuf,
}

/// Why there is nothing to open.
#[derive(Debug, Error)]
#[error("there is no store `{path}`")]
struct Missing {
    path: String,
    source: io::Error,
}

impl StoreFile {
    /// Opens the store to look: nothing is made or written, and no program that drives runs is held up.
    pub(super) fn look(&self) -> Result<SqliteStore, Box<dyn Error>> {
        let missing = |source| Missing { path: self.path.display().to_string(), source };
        let kind = fs::metadata(&self.path).map_err(missing)?;
        if kind.is_dir() {
            return Err(missing(io::ErrorKind::IsADirectory.into()).into());
        }
        Ok(SqliteStore::options().read_only().open(&self.path)?)
    }

    /// Opens the store to change something.
    pub(super) fn change(&self) -> Result<SqliteStore, Box<dyn Error>> {
        // Neither makes a store nor brings one to another version: programs that know only the older one may be
        // at work.
        drop(self.look()?);
        Ok(SqliteStore::open(&self.path)?)
    }
}

/// Waits for the store.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?.block_on(future))
}

/// A run that has to exist.
pub(super) async fn known(store: &SqliteStore, run: &RunId) -> Result<RunSummary, StoreError> {
    store.run(run).await?.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
}
