//! Which runs need a driver, and since when.

use std::time::SystemTime;

use cot_store::{DueFilter, DueRun, RunId, RunSummary};
use rusqlite::{Connection, Row, params};

use crate::{
    column::{count, millis, unreadable},
    driving::{crash::Crashes, owner::Owners},
    error::OperationError,
};

/// Writes since when a run needs a driver. A stored answer makes it due at once.
pub(crate) fn save(
    connection: &Connection,
    id: i64,
    summary: &RunSummary,
) -> Result<(), OperationError> {
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET due = iif(status = 'asking' AND EXISTS \
         (SELECT 1 FROM answers WHERE answers.run = runs.id AND answers.key = standing ->> '$.key'), \
         updated, ?) WHERE id = ?",
    )?;
    statement.execute(params![summary.due_at().map(millis), id])?;
    Ok(())
}

/// Makes a run due whose answer was stored.
pub(crate) fn wake(
    connection: &Connection,
    id: i64,
    now: SystemTime,
) -> Result<(), OperationError> {
    let mut statement =
        connection.prepare_cached("UPDATE runs SET due = ? WHERE id = ? AND set_aside IS NULL")?;
    statement.execute(params![millis(now), id])?;
    Ok(())
}

/// Lists the runs that need a driver and have none, those that have waited longest first.
pub(crate) fn list(
    connection: &Connection,
    owners: &Owners,
    filter: &DueFilter,
) -> Result<Vec<DueRun>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, runs.run, due, entries, owner, epoch, crashes, crash_entries \
         FROM runs LEFT JOIN leases ON leases.run = runs.run \
         WHERE process = ? AND due <= ? ORDER BY due",
    )?;
    let mut due: Vec<(i64, DueRun)> = Vec::new();
    for process in &filter.processes {
        let mut rows = statement.query(params![process, millis(filter.now)])?;
        let end = due.len().saturating_add(filter.limit);
        while due.len() < end
            && let Some(row) = rows.next()?
        {
            let since = row.get(2)?;
            let run = due_run(connection, owners, process, row)?;
            due.extend(run.filter(|run| filter.matches(run)).map(|run| (since, run)));
        }
    }
    due.sort_by_key(|(since, _)| *since);
    Ok(due.into_iter().map(|(_, run)| run).take(filter.limit).collect())
}

/// Reads a due run; `None` if it is driven. If that can't be determined, acquiring it reports the error.
fn due_run(
    connection: &Connection,
    owners: &Owners,
    process: &str,
    row: &Row<'_>,
) -> Result<Option<DueRun>, OperationError> {
    let has_crashed = match row.get::<_, Option<String>>(4)? {
        None => false,
        Some(owner) => match owners.holder(&owner, count(row, 5)?) {
            Ok(Some(_)) => return Ok(None),
            Ok(None) => !owners.is_own(&owner),
            Err(_) => false,
        },
    };
    let crashes = Crashes::from_row(row, 6)?.at_end(connection, row.get(0)?, has_crashed)?;
    let run: RunId = row.get::<_, String>(1)?.parse().map_err(|error| unreadable(1, error))?;
    Ok(Some(DueRun::new(run, process.to_owned(), count(row, 3)?, crashes.count())))
}
