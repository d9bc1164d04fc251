//! The table of runs.

use cot_model::Usage;
use cot_store::{CancelRequest, Origin, Record, RunId, RunSummary, SetAside, Status, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params, types::FromSqlError};

use crate::{
    column::{count, entry_id, millis, signed, time, unreadable},
    error::OperationError,
    runs::due,
};

/// A row of the table.
#[derive(Debug)]
pub(crate) struct StoredRun {
    /// The id of the run in the database.
    pub(crate) id: i64,
    pub(crate) summary: RunSummary,
    /// The number of entries when the row was written. That of the summary is larger if the row is behind.
    pub(crate) saved: u64,
    /// The owner and epoch of its lease, whether or not the owner is alive.
    pub(crate) lease: Option<(String, u64)>,
}

pub(crate) const COLUMNS: &str = "SELECT id, runs.run, process, standing, steps, calls, input_tokens, output_tokens, cost, \
    begun, updated, entries, origin, origin_steps, task, \
    owner, epoch, cached_tokens, cache_write_tokens, reasoning_tokens, set_aside, set_aside_at, \
    status = 'asking' AND EXISTS \
    (SELECT 1 FROM answers WHERE answers.run = runs.id AND answers.key = standing ->> '$.key'), \
    cancels.at, cancels.reason, uncounted_calls \
    FROM runs LEFT JOIN leases ON leases.run = runs.run LEFT JOIN cancels ON cancels.run = runs.id";

pub(crate) fn find(
    connection: &Connection,
    run: &RunId,
) -> Result<Option<StoredRun>, OperationError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE runs.run = ?"))?;
    let found = statement.query_row([run.as_str()], known).optional()?;
    Ok(found.map(|known| caught_up(connection, known)))
}

/// Reads a run that was found in an index.
pub(crate) fn find_by_id(
    connection: &Connection,
    id: i64,
) -> Result<Option<StoredRun>, OperationError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE runs.id = ?"))?;
    let found = statement.query_row([id], known).optional()?;
    Ok(found.map(|known| caught_up(connection, known)))
}

pub(crate) fn find_id(connection: &Connection, run: &RunId) -> Result<Option<i64>, OperationError> {
    let mut statement = connection.prepare_cached("SELECT id FROM runs WHERE run = ?")?;
    Ok(statement.query_row([run.as_str()], |row| row.get(0)).optional()?)
}

pub(crate) fn id(connection: &Connection, run: &RunId) -> Result<i64, OperationError> {
    Ok(find_id(connection, run)?.ok_or_else(|| unknown(run))?)
}

pub(crate) fn unknown(run: &RunId) -> StoreError {
    StoreError::UnknownRun { run: run.clone() }
}

/// Updates the summary of a running run from its journal, since its row is not written with each entry.
pub(crate) fn caught_up(connection: &Connection, mut known: StoredRun) -> StoredRun {
    if matches!(known.summary.status, Status::Running { .. }) {
        // Errors in the journal are reported when it is read.
        let _ = catch_up(connection, &mut known);
    }
    known
}

fn catch_up(connection: &Connection, known: &mut StoredRun) -> Result<(), OperationError> {
    let StoredRun { id, summary, .. } = known;
    let newer = [entry_id(*id, summary.entries), entry_id(*id, u64::MAX)];
    let mut last = connection.prepare_cached(
        "SELECT number, at FROM journal WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1",
    )?;
    let last = last.query_row(newer, |row| Ok((count(row, 0)?, row.get(1)?))).optional()?;
    let Some((number, at)) = last else { return Ok(()) };
    let mut step = connection.prepare_cached(
        "SELECT body FROM journal WHERE id BETWEEN ? AND ? AND kind = 'step' ORDER BY id DESC LIMIT 1",
    )?;
    let step: Option<String> = step.query_row(newer, |row| row.get(0)).optional()?;
    if let Some(Ok(step)) = step.map(|body| serde_json::from_str(&body)) {
        // An entry that follows the setting aside writes the row.
        let set_aside = summary.set_aside.take();
        summary.apply(&Record::Step(step))?;
        summary.set_aside = set_aside;
    }
    (summary.entries, summary.updated) = (number + 1, time(at));
    Ok(())
}

pub(crate) fn known(row: &Row<'_>) -> Result<StoredRun, rusqlite::Error> {
    let run: RunId = row.get::<_, String>(1)?.parse().map_err(|error| unreadable(1, error))?;
    let standing = row.get_ref(3)?.as_str_or_null().map_err(|error| bad(3, error))?;
    let status = match standing {
        Some(standing) => serde_json::from_str(standing).map_err(|error| unreadable(3, error))?,
        None => Status::Running { task: row.get(14)? },
    };
    let mut summary = RunSummary::new(run, row.get(2)?, status, time(row.get(9)?));
    summary.steps = count(row, 4)?;
    summary.usage = Usage {
        calls: count(row, 5)?,
        input_tokens: count(row, 6)?,
        output_tokens: count(row, 7)?,
        cost: row.get(8)?,
        cached_tokens: count(row, 17)?,
        cache_write_tokens: count(row, 18)?,
        reasoning_tokens: count(row, 19)?,
        uncounted_calls: count(row, 25)?,
    };
    summary.updated = time(row.get(10)?);
    summary.entries = count(row, 11)?;
    summary.origin = match row.get::<_, Option<String>>(12)? {
        Some(run) => Some(Origin {
            run: run.parse().map_err(|error| unreadable(12, error))?,
            steps: count(row, 13)?,
        }),
        None => None,
    };
    summary.set_aside = match row.get::<_, Option<String>>(20)? {
        Some(why) => Some(SetAside::new(why, time(row.get(21)?))),
        None => None,
    };
    summary.is_answered = row.get(22)?;
    summary.cancel_requested = match row.get::<_, Option<i64>>(23)? {
        Some(at) => Some(CancelRequest::new(row.get::<_, String>(24)?, time(at))),
        None => None,
    };
    let lease = match row.get(15)? {
        Some(owner) => Some((owner, count(row, 16)?)),
        None => None,
    };
    Ok(StoredRun { id: row.get(0)?, saved: summary.entries, summary, lease })
}

fn bad(column: usize, error: FromSqlError) -> rusqlite::Error {
    unreadable(column, error)
}

/// Adds a run. Returns its id in the database.
pub(crate) fn add(connection: &Connection, summary: &RunSummary) -> Result<i64, OperationError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO runs (run, process, begun, origin, origin_steps, status, is_ended, task, \
         steps, calls, input_tokens, output_tokens, cost, updated, entries) \
         VALUES (?, ?, ?, ?, ?, '', 0, '', 0, 0, 0, 0, 0, 0, 0)",
    )?;
    let origin = summary.origin.as_ref();
    let id = statement.insert(params![
        summary.run.as_str(),
        summary.process,
        millis(summary.begun),
        origin.map(|origin| origin.run.as_str()),
        origin.map(|origin| signed(origin.steps)),
    ])?;
    save(connection, id, summary)?;
    Ok(id)
}

/// Writes the status and the progress of a run.
pub(crate) fn save(
    connection: &Connection,
    id: i64,
    summary: &RunSummary,
) -> Result<(), OperationError> {
    let status = &summary.status;
    let standing = match status {
        Status::Running { .. } => None,
        status => Some(
            serde_json::to_string(status)
                .map_err(|error| OperationError::unwritable("a status", error))?,
        ),
    };
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET status = ?, is_ended = ?, standing = ?, set_aside = NULL, set_aside_at = NULL \
         WHERE id = ?",
    )?;
    statement.execute(params![status.word(), status.is_ended(), standing, id])?;
    save_progress(connection, id, summary)?;
    due::save(connection, id, summary)
}

pub(crate) fn set_aside(
    connection: &Connection,
    run: &RunId,
    SetAside { why, at, .. }: &SetAside,
) -> Result<(), OperationError> {
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET set_aside = ?, set_aside_at = ?, due = NULL WHERE id = ?",
    )?;
    statement.execute(params![why, millis(*at), id(connection, run)?])?;
    Ok(())
}

/// Writes that a run is not set aside, and forgets its crashes.
pub(crate) fn put_back(connection: &Connection, id: i64) -> Result<(), OperationError> {
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET set_aside = NULL, set_aside_at = NULL, crashes = 0 WHERE id = ?",
    )?;
    statement.execute([id])?;
    Ok(())
}

/// Puts a run back that was set aside. Returns whether it was.
pub(crate) fn retry(connection: &Connection, run: &RunId) -> Result<bool, OperationError> {
    let StoredRun { id, mut summary, .. } = find(connection, run)?.ok_or_else(|| unknown(run))?;
    let was_set_aside = summary.set_aside.take().is_some();
    if was_set_aside {
        put_back(connection, id)?;
        due::save(connection, id, &summary)?;
    }
    Ok(was_set_aside)
}

/// Writes the progress of a run whose status is unchanged. Cheaper than [`save`].
pub(crate) fn save_progress(
    connection: &Connection,
    id: i64,
    summary: &RunSummary,
) -> Result<(), OperationError> {
    let RunSummary { status, steps, usage, updated, entries, .. } = summary;
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET task = ?, steps = ?, calls = ?, input_tokens = ?, output_tokens = ?, cached_tokens = ?, \
         cache_write_tokens = ?, reasoning_tokens = ?, cost = ?, uncounted_calls = ?, updated = ?, \
         entries = ? WHERE id = ?",
    )?;
    statement.execute(params![
        status.task(),
        signed(*steps),
        signed(usage.calls),
        signed(usage.input_tokens),
        signed(usage.output_tokens),
        signed(usage.cached_tokens),
        signed(usage.cache_write_tokens),
        signed(usage.reasoning_tokens),
        usage.cost,
        signed(usage.uncounted_calls),
        millis(*updated),
        signed(*entries),
        id,
    ])?;
    Ok(())
}
