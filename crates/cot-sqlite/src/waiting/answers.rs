//! The table of answers.

use std::time::SystemTime;

use cot_engine::CallKey;
use cot_store::{RunId, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::{
    column::millis,
    error::OperationError,
    runs::{due, table},
};

/// Stores an answer, which has been checked, for a run that still asks for it.
pub(crate) fn store(
    connection: &Connection,
    run: &RunId,
    (key, schema): (&CallKey, &Value),
    answer: &Value,
) -> Result<(), OperationError> {
    let known = table::find(connection, run)?.ok_or_else(|| table::unknown(run))?;
    if known.summary.question_schema(key)? != schema {
        return Err(StoreError::NotAsked { run: run.clone(), key: key.clone() }.into());
    }
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO answers (run, key, at, answer) VALUES (?, ?, ?, ?)",
    )?;
    let now = SystemTime::now();
    statement.execute(params![known.id, key.to_string(), millis(now), answer.to_string()])?;
    due::wake(connection, known.id, now)
}

pub(crate) fn find(
    connection: &Connection,
    run: &RunId,
    key: &str,
) -> Result<Option<String>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT answer FROM answers WHERE run = (SELECT id FROM runs WHERE run = ?) AND key = ?",
    )?;
    let answer = statement.query_row(params![run.as_str(), key], |row| row.get(0));
    Ok(answer.optional()?)
}
