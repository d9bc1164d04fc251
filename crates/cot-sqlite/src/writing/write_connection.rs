//! The write connection. It is used by one thread at a time: the writing thread, or a run that writes
//! in place.

use std::{
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::Connection;

use crate::{
    database_file::DatabaseFile,
    driving::{owner::Owners, pending_releases::PendingReleases},
    error::OperationError,
    prompt::{FixedTexts, data_version},
    writing::{checkpointer::move_log, log_length::LogLength, run_cache::RunCache},
};

/// The length of the write-ahead log, in pages, from which it is moved into the database.
const LOG_PAGES: u32 = 4000;

/// The length of the write-ahead log, in pages, from which commits wait until it is moved.
pub(crate) const MAX_LOG_PAGES: u32 = 6000;

/// How long commits follow each other without a look at the file of the database.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The write connection, with caches of the database's content.
#[derive(Debug)]
pub(crate) struct WriteConnection {
    pub(crate) connection: Connection,
    pub(crate) fixed: FixedTexts,
    pub(crate) cache: RunCache,
    pub(crate) owners: Arc<Owners>,
    pub(crate) releases: PendingReleases,
    /// SQLite's data version. Changes when another program writes, which may remove a text or acquire a
    /// run.
    version: i64,
    file: Arc<DatabaseFile>,
    /// When the file was looked at last.
    checked: Option<Instant>,
    pub(crate) log: LogLength,
    busy_timeout: Duration,
}

impl WriteConnection {
    /// Wraps a connection. `busy_timeout` limits the wait for another program that holds the database
    /// lock.
    pub(crate) fn new(
        connection: Connection,
        file: Arc<DatabaseFile>,
        owners: Arc<Owners>,
        busy_timeout: Duration,
    ) -> Result<Self, OperationError> {
        // The checkpointer moves the log; SQLite's own way of it would make commits wait.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        let log = LogLength::new(&connection, stored_log_pages(file.path()))?;
        Ok(Self {
            connection,
            fixed: FixedTexts::default(),
            cache: RunCache::default(),
            owners,
            releases: PendingReleases::default(),
            version: 0,
            file,
            checked: None,
            log,
            busy_timeout,
        })
    }

    /// Runs `work` in a transaction. Rolls back if it fails.
    pub(crate) fn transaction(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), OperationError>,
    ) -> Result<(), OperationError> {
        self.check_file()?;
        let done = self.execute("BEGIN IMMEDIATE").and_then(|()| {
            self.refresh_caches()?;
            work(self)?;
            // The transaction is committed, whatever the estimate is.
            let _ = self.log.count_commit(&self.connection);
            self.execute("COMMIT")
        });
        if done.is_ok() {
            self.releases.commit();
        } else {
            self.clear_caches();
            if !self.connection.is_autocommit() {
                // The first error is more informative than that of the rollback.
                let _ = self.execute("ROLLBACK");
            }
        }
        done
    }

    /// Runs `work` in a transaction, without waiting for another program that holds the database lock.
    pub(crate) fn transaction_at_once(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), OperationError>,
    ) -> Result<(), OperationError> {
        self.connection.busy_timeout(Duration::ZERO)?;
        let done = self.transaction(work);
        // An error here does not affect the committed transaction.
        let _ = self.connection.busy_timeout(self.busy_timeout);
        done
    }

    /// Takes a connection back that code of the program has used.
    pub(crate) fn restore(&mut self, connection: Connection) -> Result<(), OperationError> {
        self.connection = connection;
        Ok(self.connection.busy_timeout(self.busy_timeout)?)
    }

    /// Fails if the file of the database has been deleted or replaced. Looks at it now and then, since a commit
    /// takes little longer than the look.
    fn check_file(&mut self) -> Result<(), OperationError> {
        if self.checked.is_none_or(|checked| checked.elapsed() >= CHECK_INTERVAL) {
            // It stays gone.
            self.file.check().inspect_err(|_| self.checked = None)?;
            self.checked = Some(Instant::now());
        }
        Ok(())
    }

    /// Clears the caches after a rollback.
    fn clear_caches(&mut self) {
        self.fixed.clear();
        self.cache.clear();
        self.releases.roll_back();
    }

    /// Clears the caches if another program has written.
    fn refresh_caches(&mut self) -> Result<(), OperationError> {
        let version = data_version(&self.connection)?;
        if version != self.version {
            self.clear_caches();
            self.version = version;
        }
        Ok(())
    }

    fn execute(&self, statement: &str) -> Result<(), OperationError> {
        self.connection.prepare_cached(statement)?.execute([])?;
        Ok(())
    }

    /// Returns whether the next commit appends to an existing write-ahead log of moderate length. A
    /// commit that restarts the log waits for the disk.
    pub(crate) fn only_appends_to_log(&self) -> bool {
        (1..LOG_PAGES).contains(&self.log.pages())
    }

    /// Returns whether the write-ahead log should be moved into the database.
    pub(crate) fn is_log_long(&self) -> bool {
        self.log.pages() >= LOG_PAGES
    }

    /// Returns whether the next commit should wait until the write-ahead log is moved.
    pub(crate) fn is_log_too_long(&self) -> bool {
        self.log.pages() >= MAX_LOG_PAGES
    }

    /// Moves the rest of the write-ahead log into the database. Readers can prevent that, in whole or in part; a
    /// later call tries again.
    pub(crate) fn checkpoint(&self) {
        if move_log(&self.connection) {
            self.log.reset();
        }
    }
}

/// Returns the number of pages that a log can have that another program has left.
fn stored_log_pages(database: &Path) -> u32 {
    let mut path = database.as_os_str().to_owned();
    path.push("-wal");
    let bytes = fs::metadata(path).map_or(0, |log| log.len());
    u32::try_from(bytes / 4096).unwrap_or(u32::MAX)
}
