//! The length of the write-ahead log.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use rusqlite::Connection;

/// The pages that a changed row writes, its indexes included. A step of a run changes two rows and writes three
/// pages.
const PAGES_OF_ROW: u64 = 2;

/// The number of commits between two looks at the size of the database.
const MEASURE_INTERVAL: u32 = 4;

/// An estimate of the number of pages in the write-ahead log. It counts the commits of one connection since the
/// log was moved.
///
/// SQLite tells the exact number only to a hook that not all supported versions of `rusqlite` have. The estimate
/// is what rows change, and what the database grows by: the pages of long texts and of media.
#[derive(Debug)]
pub(crate) struct LogLength {
    pages: Arc<AtomicU32>,
    /// The rows that the connection had changed at the last commit.
    changes: u64,
    /// The pages that the database used at the last look.
    used: u64,
    unmeasured: u32,
}

impl LogLength {
    /// Creates the estimate for a log that has `pages` already.
    pub(crate) fn new(connection: &Connection, pages: u32) -> rusqlite::Result<Self> {
        Ok(Self {
            pages: Arc::new(AtomicU32::new(pages)),
            changes: connection.total_changes(),
            used: used_pages(connection)?,
            unmeasured: 0,
        })
    }

    /// Returns the counter, which other threads read.
    pub(crate) fn shared(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.pages)
    }

    /// Returns the estimate.
    pub(crate) fn pages(&self) -> u32 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Adds what the transaction of the connection is about to commit. Within a transaction the look at the size of
    /// the database needs no lock.
    pub(crate) fn count_commit(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let changes = connection.total_changes();
        let rows = changes.saturating_sub(self.changes);
        self.changes = changes;
        self.append(rows.saturating_mul(PAGES_OF_ROW));
        self.unmeasured += 1;
        if self.unmeasured >= MEASURE_INTERVAL {
            self.unmeasured = 0;
            let used = used_pages(connection)?;
            self.append(used.saturating_sub(self.used));
            self.used = used;
        }
        Ok(())
    }

    /// Starts again after the log was moved.
    pub(crate) fn reset(&self) {
        self.pages.store(0, Ordering::Relaxed);
    }

    fn append(&self, pages: u64) {
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        // Only the holder of the connection changes it.
        self.pages.store(self.pages().saturating_add(pages), Ordering::Relaxed);
    }
}

/// Returns the number of pages of the database that hold data.
fn used_pages(connection: &Connection) -> rusqlite::Result<u64> {
    let count = |pragma| -> rusqlite::Result<i64> {
        connection.prepare_cached(pragma)?.query_row([], |row| row.get(0))
    };
    let used = count("PRAGMA page_count")? - count("PRAGMA freelist_count")?;
    Ok(used.try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(statements: &str) -> u32 {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE texts (id INTEGER PRIMARY KEY, text)").unwrap();
        let mut log = LogLength::new(&connection, 0).unwrap();
        for _ in 0..MEASURE_INTERVAL {
            connection.execute_batch(statements).unwrap();
            log.count_commit(&connection).unwrap();
        }
        log.pages()
    }

    #[test]
    fn rows_and_long_texts_count() {
        assert_eq!(after("SELECT 1"), 0);
        let short = after("INSERT INTO texts (text) VALUES ('short')");
        assert!((MEASURE_INTERVAL..4 * MEASURE_INTERVAL).contains(&short), "{short}");
        let long = after("INSERT INTO texts (text) VALUES (zeroblob(409600))");
        assert!(long >= 100 * MEASURE_INTERVAL, "{long}");
    }

    #[test]
    fn a_moved_log_is_empty() {
        let log = LogLength::new(&Connection::open_in_memory().unwrap(), 7).unwrap();
        assert_eq!(log.pages(), 7);
        log.reset();
        assert_eq!(log.shared().load(Ordering::Relaxed), 0);
    }
}
