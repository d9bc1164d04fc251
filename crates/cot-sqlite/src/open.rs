//! Opens a database as its options say.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    sync::Arc,
};

use cot_core::store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::{
    answers::Watch,
    column::signed,
    desk::{Desk, LOG_PAGES},
    error::{Problem, failed},
    options::{SqliteOptions, Synchronous},
    owner::Owners,
    readers::Readers,
    room, schema,
    store::{Inner, SqliteStore},
    writer::Writer,
};

impl SqliteStore {
    /// Opens a store, or makes one, as [`SqliteOptions`] are if nothing is said.
    ///
    /// # Errors
    ///
    /// As [`SqliteOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::options().open(path)
    }

    /// How to open a store.
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
    /// Opens the database, making or migrating it if need be. This reads and writes files, so from async code
    /// it is best called at start-up.
    ///
    /// # Errors
    ///
    /// When the file can't be opened, is damaged, is no SQLite database, belongs to another program, or was
    /// written by a newer version of this crate; and when it would have no name: `:memory:` is no store.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        let inner = self.inner(path).map_err(|problem| {
            let problem = if self.is_read_only { problem } else { explained(problem, path) };
            problem.into_error(&format!("opening the database `{}`", path.display()))
        })?;
        Ok(SqliteStore::new(inner))
    }

    fn inner(&self, path: &Path) -> Result<Inner, Problem> {
        refuse_nameless(path)?;
        room::check(path)?;
        let mut connection = self.connect(path, self.is_read_only)?;
        // All who open this file find the same owners beside it, whatever they call it.
        let path = &fs::canonicalize(path).map_err(|error| {
            Problem::Store(failed("looking for the file of the database", "", error))
        })?;
        if self.is_read_only {
            schema::usable(&connection)?;
        } else {
            self.prepare(&mut connection)?;
        }
        let readers = (0..self.readers.max(1)).map(|_| self.connect(path, true));
        let readers = readers.collect::<Result<_, _>>()?;
        let watched = self.connect(path, true)?;
        let owners = Arc::new(Owners::beside(path));
        let desk = Desk::new(connection, Arc::clone(&owners), self.busy_timeout)?;
        let threads = || -> std::io::Result<_> {
            Ok((
                Writer::start(desk, self.may_write_in_place())?,
                Readers::start(readers)?,
                Watch::start(watched)?,
            ))
        };
        let (writer, readers, watch) =
            threads().map_err(|error| Problem::Store(failed("starting the threads", "", error)))?;
        Ok(Inner { readers, watch, writer, owners, path: path.to_owned() })
    }

    fn may_write_in_place(&self) -> bool {
        self.blocks_in_place || self.synchronous == Synchronous::Normal
    }

    fn connect(&self, path: &Path, is_read_only: bool) -> Result<Connection, Problem> {
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

    fn prepare(&self, connection: &mut Connection) -> Result<(), Problem> {
        // Looks first, so that nothing is changed in the database of another program.
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

/// SQLite keeps these in memory or in a file that it removes, each connection for itself.
fn refuse_nameless(path: &Path) -> Result<(), Problem> {
    let name = path.as_os_str();
    if name.is_empty() || name == ":memory:" {
        let why = "a store is a file that has a name; `cot_core::store::MemoryStore` keeps runs in memory";
        return Err(Problem::Unusable(why.to_owned()));
    }
    Ok(())
}

/// SQLite says of a file on a read-only disk only that it can't be opened.
fn explained(problem: Problem, path: &Path) -> Problem {
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

/// A write-ahead log that became longer while somebody read is cut to this length, in bytes.
const LOG_BYTES: u32 = LOG_PAGES * 4096;
