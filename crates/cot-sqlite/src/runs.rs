//! The table of runs.

use std::time::SystemTime;

use cot_model::Usage;
use cot_store::{
    DueFilter, DueRun, Origin, Record, RunFilter, RunId, RunSummary, SetAside, Status, StoreError,
};
use rusqlite::{
    Connection, OptionalExtension, Row, ToSql, params,
    types::{FromSqlError, Type},
};

use crate::{
    column::{entry_id, millis, signed, time},
    driving::{crash::Crashes, owner::Owners},
    error::OperationError,
};

/// A row of the table.
#[derive(Debug)]
pub(crate) struct StoredRun {
    /// The id of the run in the database.
    pub(crate) id: i64,
    pub(crate) summary: RunSummary,
    /// The owner and epoch of its lease, whether or not the owner is alive.
    pub(crate) lease: Option<(String, u64)>,
}

const COLUMNS: &str = "SELECT id, runs.run, process, standing, steps, calls, input_tokens, output_tokens, cost, \
    begun, updated, entries, origin, origin_steps, task, \
    owner, epoch, cached_tokens, cache_write_tokens, reasoning_tokens, set_aside, set_aside_at, \
    status = 'asking' AND EXISTS \
    (SELECT 1 FROM answers WHERE answers.run = runs.id AND answers.key = standing ->> '$.key') FROM runs LEFT JOIN leases ON leases.run = runs.run";

pub(crate) fn find(
    connection: &Connection,
    run: &RunId,
) -> Result<Option<StoredRun>, OperationError> {
    let mut statement = connection.prepare_cached(&format!("{COLUMNS} WHERE runs.run = ?"))?;
    let found = statement.query_row([run.as_str()], known).optional()?;
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

pub(crate) fn list(
    connection: &Connection,
    filter: &RunFilter,
) -> Result<Vec<StoredRun>, OperationError> {
    let before = filter.updated_before.map(millis);
    let most = filter.limit.unwrap_or(usize::MAX);
    // The row of a run may be outdated, so the limit is applied to the caught-up runs.
    let limit = if before.is_some() { -1 } else { i64::try_from(most).unwrap_or(-1) };
    let mut conditions: Vec<(&str, &dyn ToSql)> = Vec::new();
    if let Some(process) = &filter.process {
        conditions.push(("process = ?", process));
    }
    match &filter.is_ended {
        // Written as in the index, so that SQLite uses it.
        Some(false) => conditions.push(("NOT is_ended AND ?", &true)),
        Some(true) => conditions.push(("is_ended AND ?", &true)),
        None => {}
    }
    if let Some(is_asking) = &filter.is_asking {
        conditions.push(("(status = 'asking') = ?", is_asking));
    }
    match &filter.is_set_aside {
        Some(true) => conditions.push(("set_aside IS NOT NULL AND ?", &true)),
        Some(false) => conditions.push(("set_aside IS NULL AND ?", &true)),
        None => {}
    }
    if let Some(before) = &before {
        conditions.push(("updated < ?", before));
    }
    let mut query = COLUMNS.to_owned();
    for (number, (condition, _)) in conditions.iter().enumerate() {
        query.push_str(if number == 0 { " WHERE " } else { " AND " });
        query.push_str(condition);
    }
    query.push_str(" ORDER BY begun DESC, id DESC LIMIT ?");
    let mut values: Vec<&dyn ToSql> = conditions.into_iter().map(|(_, value)| value).collect();
    values.push(&limit);
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(&*values, known)?;
    let runs = rows.map(|known| Ok(caught_up(connection, known?)));
    let matches = |run: &Result<StoredRun, _>| {
        run.as_ref().map_or(true, |known| filter.matches(&known.summary))
    };
    runs.filter(matches).take(most).collect()
}

/// Updates the summary of a running run from its journal, since its row is not written with each entry.
fn caught_up(connection: &Connection, mut known: StoredRun) -> StoredRun {
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
        summary.apply(&Record::Step(step))?;
    }
    (summary.entries, summary.updated) = (number + 1, time(at));
    Ok(())
}

fn known(row: &Row<'_>) -> Result<StoredRun, rusqlite::Error> {
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
    let lease = match row.get(15)? {
        Some(owner) => Some((owner, count(row, 16)?)),
        None => None,
    };
    Ok(StoredRun { id: row.get(0)?, summary, lease })
}

fn count(row: &Row<'_>, column: usize) -> Result<u64, rusqlite::Error> {
    Ok(row.get::<_, i64>(column)?.try_into().unwrap_or_default())
}

fn unreadable(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
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
    save_due(connection, id, summary)
}

/// Writes since when a run needs a driver. A stored answer makes it due at once.
fn save_due(connection: &Connection, id: i64, summary: &RunSummary) -> Result<(), OperationError> {
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

/// Puts a run back that was set aside. Returns whether it was.
pub(crate) fn retry(connection: &Connection, run: &RunId) -> Result<bool, OperationError> {
    let StoredRun { id, mut summary, .. } = find(connection, run)?.ok_or_else(|| unknown(run))?;
    let was_set_aside = summary.set_aside.take().is_some();
    if was_set_aside {
        let mut statement = connection.prepare_cached(
            "UPDATE runs SET set_aside = NULL, set_aside_at = NULL, crashes = 0 WHERE id = ?",
        )?;
        statement.execute([id])?;
        save_due(connection, id, &summary)?;
    }
    Ok(was_set_aside)
}

/// Lists the runs that need a driver and have none, those that have waited longest first.
pub(crate) fn due(
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

/// Writes the progress of a run whose status is unchanged. Cheaper than [`save`].
pub(crate) fn save_progress(
    connection: &Connection,
    id: i64,
    summary: &RunSummary,
) -> Result<(), OperationError> {
    let RunSummary { status, steps, usage, updated, entries, .. } = summary;
    let mut statement = connection.prepare_cached(
        "UPDATE runs SET task = ?, steps = ?, calls = ?, input_tokens = ?, output_tokens = ?, cached_tokens = ?, \
         cache_write_tokens = ?, reasoning_tokens = ?, cost = ?, updated = ?, entries = ? WHERE id = ?",
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
        millis(*updated),
        signed(*entries),
        id,
    ])?;
    Ok(())
}
