//! How a store is opened.

use std::time::Duration;

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
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
        }
    }
}

/// How to open a store; see [`SqliteStore::options`](crate::SqliteStore::options).
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    pub(crate) synchronous: Synchronous,
    pub(crate) busy_timeout: Duration,
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
    /// [`StoreError::ReadOnly`](cot_core::store::StoreError::ReadOnly). While no other program has the store open, SQLite makes two files beside it to
    /// look at it: who may not write to its folder gets this error from the start.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// How large the database may become, in bytes, rounded down to whole pages; no limit if not said. At
    /// the limit, writing fails with [`StoreError::Full`](cot_core::store::StoreError::Full).
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
}
