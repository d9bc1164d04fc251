//! Reading of columns.

use cot_store::internal::time;
use sqlx::{Row as _, postgres::PgRow};
use std::time::SystemTime;

use crate::{error::OperationError, text::unescape};

/// Reads a number that is never negative.
pub(crate) fn count(row: &PgRow, column: &str) -> Result<u64, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)?.try_into().unwrap_or_default())
}

/// Reads a text.
pub(crate) fn text(row: &PgRow, column: &str) -> Result<String, sqlx::Error> {
    Ok(unescape(row.try_get(column)?))
}

/// Reads a text that may be missing.
pub(crate) fn optional_text(row: &PgRow, column: &str) -> Result<Option<String>, sqlx::Error> {
    Ok(row.try_get::<Option<String>, _>(column)?.map(unescape))
}

/// Reads a time that may be missing.
pub(crate) fn optional_time(row: &PgRow, column: &str) -> Result<Option<SystemTime>, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>(column)?.map(time))
}

/// Reads a text that is parsed.
pub(crate) fn parsed<T>(row: &PgRow, column: &str) -> Result<T, OperationError>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let parsed = row.try_get::<&str, _>(column)?.parse();
    parsed.map_err(|error| crate::error::unreadable(column, error))
}
