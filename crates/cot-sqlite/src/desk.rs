//! The connection that writes. One at a time has it: the writing thread, or a run that writes for itself.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use rusqlite::Connection;

use crate::{
    driven::Driven,
    error::Problem,
    owed::Owed,
    owner::Owners,
    prompt::{FixedTexts, data_version},
};

/// After so many pages, what is in the write-ahead log is moved into the database.
pub(crate) const LOG_PAGES: u32 = 4000;

/// The connection that writes, and what is known of the database.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) connection: Connection,
    pub(crate) fixed: FixedTexts,
    pub(crate) driven: Driven,
    pub(crate) owners: Arc<Owners>,
    pub(crate) owed: Owed,
    /// Changes when another program has written, and might have dropped a text or taken a run.
    version: i64,
    /// How many pages the write-ahead log has; 0 while it begins anew.
    log_pages: Arc<AtomicU32>,
    patience: Duration,
}

impl Desk {
    /// `patience` is how long work waits while another program keeps the database locked.
    pub(crate) fn new(
        mut connection: Connection,
        owners: Arc<Owners>,
        patience: Duration,
    ) -> Result<Self, Problem> {
        let log_pages = Arc::<AtomicU32>::default();
        let pages = Arc::clone(&log_pages);
        connection.wal_hook(Some(move |_: &mut _, count: i32| {
            pages.store(count.try_into().unwrap_or_default(), Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(Self {
            connection,
            fixed: FixedTexts::default(),
            driven: Driven::default(),
            owners,
            owed: Owed::default(),
            version: 0,
            log_pages,
            patience,
        })
    }

    /// Does all of something, or nothing.
    pub(crate) fn transaction(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let done = self.say("BEGIN IMMEDIATE").and_then(|()| {
            self.renew()?;
            work(self)?;
            self.say("COMMIT")
        });
        if done.is_ok() {
            self.owed.settle();
        } else {
            self.forget();
            if !self.connection.is_autocommit() {
                // The first error says more than one about the way back.
                let _ = self.say("ROLLBACK");
            }
        }
        done
    }

    /// The same, but another program that keeps the database locked is not waited for.
    pub(crate) fn transaction_at_once(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.connection.busy_timeout(Duration::ZERO)?;
        let done = self.transaction(work);
        // What is committed is, whatever comes of this.
        let _ = self.connection.busy_timeout(self.patience);
        done
    }

    /// Forgets all that is known of the database, as what was written is undone.
    fn forget(&mut self) {
        self.fixed.forget();
        self.driven.forget();
        self.owed.undo();
    }

    /// Forgets what other programs may have changed.
    fn renew(&mut self) -> Result<(), Problem> {
        let version = data_version(&self.connection)?;
        if version != self.version {
            self.forget();
            self.version = version;
        }
        Ok(())
    }

    fn say(&self, statement: &str) -> Result<(), Problem> {
        self.connection.prepare_cached(statement)?.execute([])?;
        Ok(())
    }

    /// Whether the next commit adds to a write-ahead log that is there and not too long. One that begins the
    /// log anew waits for the disk.
    pub(crate) fn only_adds_to_log(&self) -> bool {
        (1..LOG_PAGES).contains(&self.log_pages.load(Ordering::Relaxed))
    }

    /// Whether it is time to move what is in the write-ahead log into the database.
    pub(crate) fn is_log_long(&self) -> bool {
        self.log_pages.load(Ordering::Relaxed) >= LOG_PAGES
    }

    /// Moves what is in the write-ahead log into the database. While somebody reads it, it stays or a part does:
    /// that is tried again.
    pub(crate) fn shorten_log(&self) {
        let moved = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        });
        if moved.is_ok_and(|(pages, moved)| pages == moved) {
            self.log_pages.store(0, Ordering::Relaxed);
        }
    }
}
