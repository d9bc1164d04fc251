//! The options for opening a store.

use std::time::Duration;

/// The durability of commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Synchronous {
    /// Survives a power failure: each commit waits for the disk.
    #[default]
    Full,
    /// Survives a crash of the program at any instant. A crash of the operating system or a power
    /// failure can lose the latest commits; the remaining data is consistent. Several times as fast.
    Normal,
}

impl Synchronous {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// The options for opening a store; see [`SqliteStore::options`](crate::SqliteStore::options).
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    pub(crate) synchronous: Synchronous,
    pub(crate) busy_timeout: Duration,
    pub(crate) transaction_limit: Duration,
    pub(crate) readers: usize,
    pub(crate) is_read_only: bool,
    pub(crate) max_bytes: Option<u64>,
    pub(crate) blocks_in_place: bool,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            synchronous: Synchronous::default(),
            busy_timeout: Duration::from_secs(10),
            transaction_limit: Duration::from_secs(5),
            readers: 2,
            is_read_only: false,
            max_bytes: None,
            blocks_in_place: false,
        }
    }
}

impl SqliteOptions {
    /// Sets the durability of commits. Default: [`Synchronous::Full`].
    #[must_use]
    pub const fn synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = synchronous;
        self
    }

    /// Sets how long to wait while another program holds the database lock. Default: 10 s.
    #[must_use]
    pub const fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// Sets how long a function with `effect: transaction` may take. Nothing else is committed meanwhile, so this should be
    /// less than the [`busy_timeout`](Self::busy_timeout) of other programs. After this time the function is dropped, its
    /// transaction is rolled back, and the attempt of the task fails. Default: 5 s.
    #[must_use]
    pub const fn transaction_limit(mut self, limit: Duration) -> Self {
        self.transaction_limit = limit;
        self
    }

    /// Sets the number of reading threads, each with its own connection. Default: 2; at least 1.
    #[must_use]
    pub const fn readers(mut self, readers: usize) -> Self {
        self.readers = readers;
        self
    }

    /// Opens the store read-only: nothing is created, migrated or written, and every write fails with
    /// [`StoreError::ReadOnly`](cot_store::StoreError::ReadOnly). While no other program has the
    /// store open, SQLite creates two files beside it for reading, so opening fails with this error
    /// without write access to the folder.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Sets the size limit of the database in bytes, rounded down to whole pages. Default: no limit. At
    /// the limit, writes fail with [`StoreError::Full`](cot_store::StoreError::Full).
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Lets a run that is alone in its store wait for the disk on the thread that polls it. A step
    /// takes less time then, since no other thread must be woken; but all other work of this thread
    /// waits too, some milliseconds on a slow disk. Meant for programs without other work.
    ///
    /// With [`Synchronous::Normal`] no commit waits for the disk, and a run that is alone always writes
    /// in place.
    #[must_use]
    pub const fn block_in_place(mut self) -> Self {
        self.blocks_in_place = true;
        self
    }
}
