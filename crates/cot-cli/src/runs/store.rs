//! The store of a command.

use std::{error::Error, fs, io, path::PathBuf};

use clap::Args;
use cot_sqlite::SqliteStore;
use cot_store::{RunId, RunSummary, Store, StoreError};
use thiserror::Error;

/// The option that names the store.
#[derive(Debug, Args)]
pub(crate) struct StoreFile {
    /// The SQLite file that contains the runs.
    #[arg(long = "store", env = "COT_STORE", hide_env_values = true, value_name = "FILE")]
    path: PathBuf,
}

/// The error for a store file that does not exist.
#[derive(Debug, Error)]
#[error("there is no store `{path}`")]
struct MissingStoreError {
    path: String,
    source: io::Error,
}

impl StoreFile {
    /// Returns the name of the file, for people.
    #[cfg(feature = "serve")]
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Opens the store read-only. Creates and writes nothing, and does not delay programs that drive
    /// runs.
    pub(crate) fn open_read_only(&self) -> Result<SqliteStore, Box<dyn Error>> {
        let missing = |source| MissingStoreError { path: self.path.display().to_string(), source };
        let kind = fs::metadata(&self.path).map_err(missing)?;
        if kind.is_dir() {
            return Err(missing(io::ErrorKind::IsADirectory.into()).into());
        }
        Ok(SqliteStore::options().read_only().open(&self.path)?)
    }

    /// Opens the store for changes.
    pub(crate) fn open_writable(&self) -> Result<SqliteStore, Box<dyn Error>> {
        // Opens it read-only first, which neither creates a store nor migrates it: programs that
        // support only the older version may use it.
        drop(self.open_read_only()?);
        Ok(SqliteStore::open(&self.path)?)
    }
}

/// Blocks on a future of the store.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?.block_on(future))
}

/// Returns the summary of a run, or an error if it does not exist.
pub(super) async fn require_run(
    store: &SqliteStore,
    run: &RunId,
) -> Result<RunSummary, StoreError> {
    store.run(run).await?.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
}
