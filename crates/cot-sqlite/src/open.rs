//! Opening of a database.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    sync::Arc,
};

use cot_store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::{
    column::signed,
    database_file::DatabaseFile,
    disk_space,
    driving::owner::Owners,
    error::{OperationError, failed},
    options::{SqliteOptions, Synchronous},
    readers::Readers,
    runs::search,
    schema,
    store::{Inner, SqliteStore},
    waiting::watcher::Watcher,
    writing::{
        write_connection::{MAX_LOG_PAGES, WriteConnection},
        writer::Writer,
    },
};

impl SqliteStore {
    /// Opens or creates a store with the default [`SqliteOptions`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`SqliteOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::options().open(path)
    }

    /// Returns the default options.
    ///
    /// ```no_run
    /// use cot_sqlite::{SqliteStore, Synchronous};
    ///
    /// let store = SqliteStore::options().synchronous(Synchronous::Normal).open("runs.db")?;
    /// # Ok::<(), cot_core::store::StoreError>(())
    /// ```
    #[must_use]
    pub fn options() -> SqliteOptions {
        SqliteOptions::default()
    }
}

impl SqliteOptions {
    /// Opens the database; creates or migrates it if necessary. Blocks on file access, so async
    /// programs should call it at start-up.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be opened, is damaged, is not a SQLite database, belongs to
    /// another program, or was written by a newer version of this crate; also for `:memory:` and other
    /// paths without a file.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        let inner = self.inner(path).map_err(|problem| {
            let problem =
                if self.is_read_only { problem } else { explain_read_only(problem, path) };
            problem.into_error(&format!("opening the database `{}`", path.display()))
        })?;
        Ok(SqliteStore::new(inner))
    }

    fn inner(&self, path: &Path) -> Result<Inner, OperationError> {
        reject_nameless(path)?;
        disk_space::check(path)?;
        let mut connection = self.connect(path, self.is_read_only)?;
        // The canonical path, so that all programs use the same folder of lock files.
        let file = fs::canonicalize(path).and_then(DatabaseFile::new).map_err(|error| {
            OperationError::Store(failed("resolving the path of the database", "", error))
        })?;
        let file = Arc::new(file);
        let path = file.path();
        if self.is_read_only {
            schema::check_version(&connection)?;
        } else {
            self.prepare(&mut connection)?;
        }
        let readers = (0..self.readers.max(1)).map(|_| {
            let reader = self.connect(path, true)?;
            search::add_function(&reader)?;
            Ok(reader)
        });
        let readers = readers.collect::<Result<_, OperationError>>()?;
        let watched = self.connect(path, true)?;
        let log = self.connect(path, self.is_read_only)?;
        let owners = Arc::new(Owners::beside(path));
        let db = WriteConnection::new(
            connection,
            Arc::clone(&file),
            Arc::clone(&owners),
            self.busy_timeout,
        )?;
        let threads = || -> std::io::Result<_> {
            Ok((
                Writer::start(db, log, self.may_write_in_place())?,
                Readers::start(readers, Arc::clone(&file))?,
                Watcher::start(watched, Arc::clone(&file))?,
            ))
        };
        let (writer, readers, watch) = threads()
            .map_err(|error| OperationError::Store(failed("starting the threads", "", error)))?;
        Ok(Inner {
            readers,
            watch,
            writer,
            owners,
            drafts: Arc::default(),
            file,
            transaction_limit: self.transaction_limit,
        })
    }

    fn may_write_in_place(&self) -> bool {
        self.blocks_in_place || self.synchronous == Synchronous::Normal
    }

    fn connect(&self, path: &Path, is_read_only: bool) -> Result<Connection, OperationError> {
        let access = if is_read_only {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        } else {
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
        };
        let connection =
            Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(self.busy_timeout)?;
        connection.set_prepared_statement_cache_capacity(64);
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "synchronous", self.synchronous.word())?;
        Ok(connection)
    }

    fn prepare(&self, connection: &mut Connection) -> Result<(), OperationError> {
        // Checks the version first, so that another program's database is not changed.
        schema::version(connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
        if let Some(bytes) = self.max_bytes {
            let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            let pages = bytes / u64::from(page.max(1));
            connection.pragma_update(None, "max_page_count", signed(pages))?;
        }
        schema::migrate(connection)
    }
}

/// Rejects paths that SQLite keeps in memory or in a temporary file, separately for each connection.
fn reject_nameless(path: &Path) -> Result<(), OperationError> {
    let name = path.as_os_str();
    if name.is_empty() || name == ":memory:" {
        let why = "a store is a file that has a name; `cot_core::store::MemoryStore` keeps runs in memory";
        return Err(OperationError::Foreign(why.to_owned()));
    }
    Ok(())
}

/// Replaces SQLite's generic error if the file is read-only.
fn explain_read_only(problem: OperationError, path: &Path) -> OperationError {
    match File::options().append(true).open(path) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
            ) =>
        {
            StoreError::ReadOnly { source: error.into() }.into()
        }
        _ => problem,
    }
}

/// The size in bytes to which a write-ahead log is truncated that grew while it was read.
const LOG_BYTES: u32 = MAX_LOG_PAGES * 4096;
