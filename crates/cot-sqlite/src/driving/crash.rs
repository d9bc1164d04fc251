//! Counts the programs that have died while they drove a run.

use cot_store::RunId;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    column::{entry_id, signed},
    error::OperationError,
};

/// The crashes in the row of a run. They count as long as the journal has the same number of entries.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Crashes {
    count: u32,
    entries: u64,
}

impl Crashes {
    /// Reads the columns `crashes` and `crash_entries`, from `column` on.
    pub(crate) fn from_row(row: &Row<'_>, column: usize) -> Result<Self, rusqlite::Error> {
        let entries: i64 = row.get(column + 1)?;
        Ok(Self { count: row.get(column)?, entries: entries.try_into().unwrap_or_default() })
    }

    /// Returns the crashes at the present end of the journal, with one more if the last driver has died.
    pub(crate) fn at_end(
        self,
        connection: &Connection,
        run: i64,
        has_crashed: bool,
    ) -> Result<Self, OperationError> {
        if self.count == 0 && !has_crashed {
            return Ok(self);
        }
        let entries = count_entries(connection, run)?;
        let earlier = if self.entries == entries { self.count } else { 0 };
        Ok(Self { count: earlier.saturating_add(u32::from(has_crashed)), entries })
    }

    pub(crate) const fn count(self) -> u32 {
        self.count
    }
}

/// Counts the entries of a journal; its row may lag behind.
fn count_entries(connection: &Connection, run: i64) -> Result<u64, OperationError> {
    let mut last = connection.prepare_cached(
        "SELECT number + 1 FROM journal WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
    )?;
    let last = last.query_row([entry_id(run, 0), entry_id(run, u64::MAX)], |row| row.get(0));
    Ok(last.optional()?.map_or(0, i64::cast_unsigned))
}

/// Records in the row of a run whether its last driver has died. Returns the crashes so far.
pub(crate) fn record(
    connection: &Connection,
    run: &RunId,
    has_crashed: bool,
) -> Result<u32, OperationError> {
    let mut find =
        connection.prepare_cached("SELECT id, crashes, crash_entries FROM runs WHERE run = ?")?;
    let known = find
        .query_row([run.as_str()], |row| Ok((row.get(0)?, Crashes::from_row(row, 1)?)))
        .optional()?;
    let Some((id, known)) = known else { return Ok(0) };
    let now = known.at_end(connection, id, has_crashed)?;
    if has_crashed {
        let mut save = connection
            .prepare_cached("UPDATE runs SET crashes = ?, crash_entries = ? WHERE id = ?")?;
        save.execute(params![now.count, signed(now.entries), id])?;
    }
    Ok(now.count)
}

/// Forgets the crashes of a run whose lease is released.
pub(crate) fn forget(connection: &Connection, run: &str) -> Result<(), OperationError> {
    let mut statement =
        connection.prepare_cached("UPDATE runs SET crashes = 0 WHERE run = ? AND crashes > 0")?;
    statement.execute([run])?;
    Ok(())
}
