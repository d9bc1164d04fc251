//! The table of requests to cancel a run.

use cot_store::{CancelRequest, RunId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::{millis, time},
    error::OperationError,
    runs::{due, table},
};

/// Stores a request to cancel a run, unless there is one, and makes the run due.
pub(crate) fn store(
    connection: &Connection,
    run: &RunId,
    request: CancelRequest,
) -> Result<(), OperationError> {
    let mut known = table::find(connection, run)?.ok_or_else(|| table::unknown(run))?;
    known.summary.request_cancel(request)?;
    if let Some(CancelRequest { at, reason, .. }) = &known.summary.cancel_requested {
        let mut statement = connection
            .prepare_cached("INSERT OR IGNORE INTO cancels (run, at, reason) VALUES (?, ?, ?)")?;
        statement.execute(params![known.id, millis(*at), reason])?;
    }
    table::put_back(connection, known.id)?;
    due::save(connection, known.id, &known.summary)
}

/// Deletes the request to cancel a run that has been applied.
pub(crate) fn delete(connection: &Connection, run: i64) -> Result<(), OperationError> {
    connection.prepare_cached("DELETE FROM cancels WHERE run = ?")?.execute([run])?;
    Ok(())
}

pub(crate) fn find(
    connection: &Connection,
    run: &RunId,
) -> Result<Option<CancelRequest>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT reason, at FROM cancels WHERE run = (SELECT id FROM runs WHERE run = ?)",
    )?;
    let request = statement.query_row([run.as_str()], |row| {
        Ok(CancelRequest::new(row.get::<_, String>(0)?, time(row.get(1)?)))
    });
    Ok(request.optional()?)
}
