//! How a store is opened.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    sync::Arc,
    time::Duration,
};

use cot_core::store::StoreError;
use rusqlite::{Connection, OpenFlags};

use crate::{
    SqliteStore,
    answers::Watch,
    desk::{Desk, LOG_PAGES},
    error::{Problem, failed},
    owner::Owners,
    readers::Readers,
    room,
    runs::signed,
    schema,
    store::Inner,
    writer::Writer,
};

/// What of a machine may crash without losing what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Synchronous {
    /// The power may fail: each commit waits until the disk has it.
    #[default]
    Full,
    /// The program may crash at any instant. If the operating system crashes or the power fails, the last
    /// commits may be lost, the newest first; what is left is consistent. Several times as fast.
    Normal,
}

impl Synchronous {
    const fn word(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// How to open a store; see [`SqliteStore::options`].
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    synchronous: Synchronous,
    busy_timeout: Duration,
    readers: usize,
    is_read_only: bool,
    max_bytes: Option<u64>,
    blocks_in_place: bool,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            synchronous: Synchronous::default(),
            busy_timeout: Duration::from_secs(10),
            readers: 2,
            is_read_only: false,
            max_bytes: None,
            blocks_in_place: false,
        }
    }
}

impl SqliteOptions {
    /// What may crash without losing what was written; [`Synchronous::Full`] if not said.
    #[must_use]
    pub const fn synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// How long to wait while another program keeps the database locked; 10 s if not said.
    #[must_use]
    pub const fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// How many threads read, each with a connection of its own; 2 if not said, and at least 1.
    #[must_use]
    pub const fn readers(mut self, readers: usize) -> Self {
        self.readers = readers;
        self
    }

    /// Only looks: nothing is made, migrated or written, and all that would write fails with
    /// [`StoreError::ReadOnly`]. While no other program has the store open, SQLite makes two files beside it to
    /// look at it: who may not write to its folder gets this error from the start.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// How large the database may become, in bytes, rounded down to whole pages; no limit if not said. At
    /// the limit, writing fails with [`StoreError::Full`].
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Has a run that is alone in its store wait for the disk on the thread that polls it. A step takes less
    /// time then, as no other thread has to be woken; but whatever else this thread has to do waits too, for
    /// some milliseconds on a slow disk. It is meant for programs that have nothing else to do.
    ///
    /// With [`Synchronous::Normal`] there is nothing to wait for, and a run that is alone always writes there.
    #[must_use]
    pub const fn block_in_place(mut self) -> Self {
        self.blocks_in_place = true;
        self
    }

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
