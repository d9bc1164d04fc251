//! The store of a command.

use std::{error::Error, fs, io, ops::Deref, path::Path, sync::OnceLock, time::SystemTime};

use clap::Args;
use cot_sqlite::SqliteStore;
use cot_store::{RunId, RunSummary, Store, StoreError};
use thiserror::Error;
use tokio::runtime::Runtime;

use super::address::Address;

/// The option that names the store.
#[derive(Debug, Args)]
pub(crate) struct StoreFile {
    /// The store that contains the runs: a SQLite file, or the address of a Postgres database (`postgres://…`).
    #[arg(long = "store", env = "COT_STORE", hide_env_values = true, value_name = "FILE")]
    address: Address,
}

/// The error for a store file that does not exist.
#[derive(Debug, Error)]
#[error("there is no store `{path}`")]
struct MissingStoreError {
    path: String,
    source: io::Error,
}

/// The error for a Postgres address in a program without Postgres.
#[cfg(not(feature = "postgres"))]
#[derive(Debug, Error)]
#[error("this `cot` has no Postgres: install it with `--features postgres`")]
struct NoPostgresError;

/// An open store.
pub(crate) enum OpenStore {
    Sqlite(SqliteStore),
    #[cfg(feature = "postgres")]
    Postgres(cot_postgres::PgStore),
}

impl Deref for OpenStore {
    type Target = dyn Store;

    fn deref(&self) -> &(dyn Store + 'static) {
        match self {
            Self::Sqlite(store) => store,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store,
        }
    }
}

impl OpenStore {
    /// Returns the store for a server.
    #[cfg(feature = "serve")]
    pub(crate) fn shared(self) -> std::sync::Arc<dyn Store> {
        match self {
            Self::Sqlite(store) => std::sync::Arc::new(store),
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => std::sync::Arc::new(store),
        }
    }

    /// Removes old runs. Returns how many.
    pub(super) async fn prune(&self, before: SystemTime) -> Result<u64, StoreError> {
        match self {
            Self::Sqlite(store) => store.prune(before).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.prune(before).await,
        }
    }

    /// Shrinks a file. A server does so by itself.
    pub(super) async fn vacuum(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(store) => store.vacuum().await,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Removes the end of a journal. Returns the number of removed entries.
    pub(super) async fn cut(&self, run: &RunId, from: u64) -> Result<u64, StoreError> {
        match self {
            Self::Sqlite(store) => store.cut(run, from).await,
            #[cfg(feature = "postgres")]
            Self::Postgres(store) => store.cut(run, from).await,
        }
    }

    /// Waits until the leases that were dropped are released.
    pub(super) async fn close(&self) {
        #[cfg(feature = "postgres")]
        if let Self::Postgres(store) = self {
            store.close().await;
        }
    }
}

impl StoreFile {
    /// Returns the name of the store, for people.
    #[cfg(feature = "serve")]
    pub(crate) fn name(&self) -> String {
        self.address.to_string()
    }

    /// Opens the store read-only. Creates and writes nothing, and does not delay programs that drive
    /// runs.
    pub(crate) fn open_read_only(&self) -> Result<OpenStore, Box<dyn Error>> {
        self.address.open_read_only()
    }

    /// Opens the store for changes.
    pub(crate) fn open_writable(&self) -> Result<OpenStore, Box<dyn Error>> {
        self.address.open_writable()
    }
}

impl Address {
    pub(super) fn open_read_only(&self) -> Result<OpenStore, Box<dyn Error>> {
        match self {
            Self::File(path) => open_file_read_only(path),
            Self::Postgres { .. } => self.open_postgres(true),
        }
    }

    pub(super) fn open_writable(&self) -> Result<OpenStore, Box<dyn Error>> {
        match self {
            Self::File(path) => {
                // Opens it read-only first, which neither creates a store nor migrates it: programs that
                // support only the older version may use it.
                drop(open_file_read_only(path)?);
                Ok(OpenStore::Sqlite(SqliteStore::open(path)?))
            }
            Self::Postgres { .. } => self.open_postgres(true),
        }
    }

    /// Opens the store for changes; creates it if it does not exist.
    pub(super) fn open_or_create(&self) -> Result<OpenStore, Box<dyn Error>> {
        match self {
            Self::File(path) => Ok(OpenStore::Sqlite(SqliteStore::open(path)?)),
            Self::Postgres { .. } => self.open_postgres(false),
        }
    }

    #[cfg(feature = "postgres")]
    fn open_postgres(&self, must_exist: bool) -> Result<OpenStore, Box<dyn Error>> {
        let Self::Postgres { url, schema } = self else { return Err("it is no address".into()) };
        let mut options = cot_postgres::PgStore::options();
        if must_exist {
            options = options.existing();
        }
        if let Some(schema) = schema {
            options = options.schema(schema);
        }
        Ok(OpenStore::Postgres(wait(options.connect(url))??))
    }

    #[cfg(not(feature = "postgres"))]
    fn open_postgres(&self, _: bool) -> Result<OpenStore, Box<dyn Error>> {
        Err(NoPostgresError.into())
    }
}

fn open_file_read_only(path: &Path) -> Result<OpenStore, Box<dyn Error>> {
    let missing = |source| MissingStoreError { path: path.display().to_string(), source };
    let kind = fs::metadata(path).map_err(missing)?;
    if kind.is_dir() {
        return Err(missing(io::ErrorKind::IsADirectory.into()).into());
    }
    Ok(OpenStore::Sqlite(SqliteStore::options().read_only().open(path)?))
}

/// Blocks on a future of the store.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> io::Result<T> {
    Ok(runtime()?.block_on(future))
}

/// Returns the runtime of this program, to which the connections of a store belong.
pub(crate) fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    #[cfg(feature = "serve")]
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    #[cfg(not(feature = "serve"))]
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Returns the summary of a run, or an error if it does not exist.
pub(super) async fn require_run(store: &dyn Store, run: &RunId) -> Result<RunSummary, StoreError> {
    store.run(run).await?.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
}
