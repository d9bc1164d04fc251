//! Conversions between ids and numbers and the columns of the tables.

use std::error::Error;

pub(crate) use cot_store::internal::{millis, signed, time};
use rusqlite::{Row, types::Type};

/// Returns the id of an entry. A run can have 2^32 entries; the id of a further one is taken, so its
/// insert fails.
pub(crate) fn entry_id(run: i64, number: u64) -> i64 {
    (run << 32) | i64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Reads a column with a number that is never negative.
pub(crate) fn count(row: &Row<'_>, column: usize) -> Result<u64, rusqlite::Error> {
    Ok(row.get::<_, i64>(column)?.try_into().unwrap_or_default())
}

/// Creates the error for a column with a text that can't be read.
pub(crate) fn unreadable(
    column: usize,
    error: impl Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
}
