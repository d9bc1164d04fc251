//! The thread that moves the write-ahead log into the database.
//!
//! Most of the log is moved while other threads commit: it takes as long as hundreds of commits. Only the last pages
//! are moved while they wait, since SQLite restarts the log only when all of it has been moved.

use std::{
    io, mem,
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
    threads: Threads<InProgress>,
    state: Arc<State>,
}

/// Whether the log is being moved.
#[derive(Default)]
struct State {
    is_in_progress: Mutex<bool>,
    ended: Condvar,
}

/// A request that is in progress until it is dropped: a commit may wait for that, so not even a panic of the thread
/// may lose it.
struct InProgress(Arc<State>);

impl Checkpointer {
    /// Starts the thread. It moves most of the log, whose length is `log_pages`, with a connection of its own, and
    /// calls `move_rest` if nothing has kept it from that.
    pub(crate) fn start(
        connection: Connection,
        log_pages: Arc<AtomicU32>,
        move_rest: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let threads = Threads::one("checkpoint", move |requests: Receiver<InProgress>| {
            for _in_progress in requests {
                if move_most(&connection, &log_pages) {
                    move_rest();
                }
            }
        })?;
        Ok(Self { threads, state: Arc::default() })
    }

    /// Requests that the log is moved, unless that is in progress.
    pub(crate) fn request(&self) {
        let was_in_progress = mem::replace(&mut *self.state.lock(), true);
        if !was_in_progress {
            self.threads.send(InProgress(Arc::clone(&self.state)));
        }
    }

    /// Waits until the log has been moved, or until it turns out that it can't be.
    pub(crate) fn wait(&self) {
        let is_in_progress = self.state.lock();
        drop(self.state.ended.wait_while(is_in_progress, |is_in_progress| *is_in_progress));
    }
}

impl State {
    // A thread that panicked with the lock can't leave the data inconsistent.
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_in_progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        *self.0.lock() = false;
        self.0.ended.notify_all();
    }
}

/// Moves the log until few pages are left. Returns whether nothing has kept it from that.
fn move_most(connection: &Connection, log_pages: &AtomicU32) -> bool {
    for _ in 0..MAX_ROUNDS {
        let before = log_pages.load(Ordering::Relaxed);
        if !move_log(connection) {
            return false;
        }
        if log_pages.load(Ordering::Relaxed).saturating_sub(before) <= MAX_REST {
            break;
        }
    }
    true
}

/// Moves the log into the database. Returns `false` if some of it is left, since a reader needs it or an error
/// occurred. A later call tries again.
pub(crate) fn move_log(connection: &Connection) -> bool {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
    });
    moved.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::sync::{Barrier, atomic::AtomicUsize};

    use super::*;

    fn start(move_rest: impl Fn() + Send + 'static) -> Checkpointer {
        let connection = Connection::open_in_memory().unwrap();
        Checkpointer::start(connection, Arc::default(), move_rest).unwrap()
    }

    #[test]
    fn a_move_that_panics_keeps_no_commit_waiting() {
        let checkpointer = start(|| panic!("as the test wants"));
        for _ in 0..2 {
            checkpointer.request();
            checkpointer.wait();
        }
    }

    #[test]
    fn a_request_returns_at_once_and_is_made_once_while_the_log_is_moved() {
        let (count, barrier) = (Arc::<AtomicUsize>::default(), Arc::new(Barrier::new(2)));
        let shared = (Arc::clone(&count), Arc::clone(&barrier));
        let checkpointer = start(move || {
            shared.0.fetch_add(1, Ordering::Relaxed);
            shared.1.wait();
        });
        checkpointer.request();
        checkpointer.request();
        barrier.wait();
        checkpointer.wait();
        drop(checkpointer);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}
