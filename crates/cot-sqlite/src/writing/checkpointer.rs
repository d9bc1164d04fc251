//! The thread that moves the write-ahead log into the database.
//!
//! Most of the log is moved while other threads commit: it takes as long as hundreds of commits. Only the last pages
//! are moved while they wait, since SQLite restarts the log only when all of it has been moved.

use std::{
    io,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
        mpsc::Receiver,
    },
};

use rusqlite::Connection;

use crate::threads::Threads;

/// The number of pages that are moved while other threads wait.
const MAX_REST: u32 = 200;

/// How often pages are moved while other threads append more than [`MAX_REST`].
const MAX_ROUNDS: usize = 4;

/// Moves the log on request. Dropping it waits until the log is moved.
pub(crate) struct Checkpointer {
    threads: Threads<()>,
    work: Arc<Work>,
}

/// Whether the log is being moved.
#[derive(Default)]
struct Work {
    is_in_progress: Mutex<bool>,
    ended: Condvar,
}

impl Checkpointer {
    /// Starts the thread. It moves most of the log, which has `log_pages`, with a connection of its own, and calls
    /// `move_rest` if nothing has kept it from that.
    pub(crate) fn start(
        connection: Connection,
        log_pages: Arc<AtomicU32>,
        move_rest: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let work = Arc::<Work>::default();
        let shared = Arc::clone(&work);
        let threads = Threads::one("checkpoint", move |requests: Receiver<()>| {
            for () in requests {
                let _in_progress = InProgress(&shared);
                if move_most(&connection, &log_pages) {
                    move_rest();
                }
            }
        })?;
        Ok(Self { threads, work })
    }

    /// Requests that the log is moved, unless that is in progress.
    pub(crate) fn request(&self) {
        let mut is_in_progress = self.work.lock();
        if !*is_in_progress {
            *is_in_progress = true;
            self.threads.send(());
        }
    }

    /// Waits until the log has been moved, or until it turns out that it can't be.
    pub(crate) fn wait(&self) {
        let is_in_progress = self.work.lock();
        drop(self.work.ended.wait_while(is_in_progress, |is_in_progress| *is_in_progress));
    }
}

impl Work {
    // A thread that panicked with the lock can't leave the data inconsistent.
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_in_progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work when it is dropped, even by a panic: a commit may wait for that.
struct InProgress<'a>(&'a Work);

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        *self.0.lock() = false;
        self.0.ended.notify_all();
    }
}

/// Moves the log until few pages are left. Returns whether nothing has kept it from that.
fn move_most(connection: &Connection, log_pages: &AtomicU32) -> bool {
    for _ in 0..MAX_ROUNDS {
        let Some(moved) = move_log(connection) else { return false };
        if log_pages.load(Ordering::Relaxed).saturating_sub(moved) <= MAX_REST {
            break;
        }
    }
    true
}

/// Moves the log into the database. Returns the number of its pages at the beginning; `None` if some are left, since
/// a reader needs them or an error occurred. A later call tries again.
pub(crate) fn move_log(connection: &Connection) -> Option<u32> {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
    });
    let (pages, moved) = moved.ok()?;
    (pages == moved).then(|| pages.try_into().unwrap_or_default())
}
