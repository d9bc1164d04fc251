//! The table of entries.

use std::{iter, sync::Arc};

use cot_core::{
    PromptSegments,
    store::{Entry, Record, RunId, RunSummary, Status, StoreError},
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    driven::DrivenRun,
    error::Problem,
    lease,
    prompt::Prompts,
    row::{self, BadRow, Content, Row},
    runs::{self, Known, signed},
    writer::Desk,
};

/// Adds records to the journal of a run for whoever holds this lease.
pub(crate) fn append(
    desk: &mut Desk,
    run: &RunId,
    epoch: u64,
    records: &[Record],
    rows: &[Row],
) -> Result<(), Problem> {
    let known = match desk.driven.take(epoch, run) {
        Some(known) => Some(known),
        None => {
            lease::check(&desk.connection, run, epoch)?;
            runs::find(&desk.connection, run)?
                .map(|Known { id, summary, .. }| DrivenRun { id, summary })
        }
    };
    let mut entries = iter::zip(records, rows);
    let known = match known {
        Some(known) => known,
        None => match entries.next() {
            Some((record, row)) => begin(desk, run, record, row)?,
            None => return Ok(()),
        },
    };
    let known = go_on(desk, known, entries)?;
    desk.driven.put(epoch, known);
    Ok(())
}

fn begin(desk: &mut Desk, run: &RunId, first: &Record, row: &Row) -> Result<DrivenRun, Problem> {
    let summary = RunSummary::of(run, first)?;
    let id = runs::add(&desk.connection, &summary)?;
    add(desk, id, 0, first, row)?;
    Ok(DrivenRun { id, summary })
}

fn go_on<'a>(
    desk: &mut Desk,
    DrivenRun { id, mut summary }: DrivenRun,
    entries: impl Iterator<Item = (&'a Record, &'a Row)>,
) -> Result<DrivenRun, Problem> {
    let (before, was_ended) = (summary.entries, summary.status.is_ended());
    for (record, row) in entries {
        take_answer(&desk.connection, id, &summary.status, record)?;
        add(desk, id, signed(summary.entries), record, row)?;
        summary.apply(record)?;
    }
    if summary.entries > before {
        runs::save(&desk.connection, id, &summary)?;
    }
    if summary.status.is_ended() != was_ended {
        runs::save_end(&desk.connection, id, &summary)?;
    }
    Ok(DrivenRun { id, summary })
}

fn add(desk: &mut Desk, run: i64, number: i64, record: &Record, row: &Row) -> Result<(), Problem> {
    let Desk { connection, texts, .. } = desk;
    let prompt =
        row::prompt(record).map(|prompt| texts.keep(connection, run, prompt)).transpose()?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO journal (run, number, at, kind, task, key, attempt, engine, prompt, reply, millis, \
         is_whole, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    statement.execute(params![
        run,
        number,
        row::millis(record.at()),
        row::kind(record),
        row::task(record),
        row.key,
        row::asked(record).map(|asked| asked.key.attempt()),
        row::engine(record),
        prompt,
        row::reply(record),
        row::elapsed(record),
        record.is_whole(),
        row.body,
        row.sum,
    ])?;
    Ok(())
}

/// An answer that is in the journal is not waited for any more. Nobody leaves one but for what a run asks.
fn take_answer(
    connection: &Connection,
    run: i64,
    status: &Status,
    record: &Record,
) -> Result<(), Problem> {
    if let (Status::Asking { key, .. }, Some(asked)) = (status, row::asked(record))
        && asked.key == *key
    {
        let mut statement =
            connection.prepare_cached("DELETE FROM answers WHERE run = ? AND key = ?")?;
        statement.execute(params![run, key.to_string()])?;
    }
    Ok(())
}

/// The entries from a number on.
pub(crate) fn entries(
    connection: &Connection,
    run: &RunId,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, Problem> {
    let id = runs::id(connection, run)?;
    let mut prompts = Prompts::new(connection);
    let mut statement = connection.prepare_cached(
        "SELECT number, at, sum, kind, key, engine, reply, body, prompt FROM journal \
         WHERE run = ? AND number >= ? ORDER BY number LIMIT ?",
    )?;
    let limit = i64::try_from(limit).unwrap_or(-1);
    let mut rows = statement.query(params![id, signed(from), limit])?;
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let next = entries.last().map_or(from, |last| last.number + 1);
        let row = rows.next().map_err(|error| damaged(run, next, error))?;
        let Some(row) = row else { return Ok(entries) };
        let number = row.get::<_, i64>(0)?.try_into().unwrap_or(next);
        let record = record(row, &mut prompts)?;
        let record = record.map_err(|source| corrupt(run, number, source))?;
        entries.push(Entry { number, record });
    }
}

/// The record of a row; the inner error is one of what the row says.
fn record(
    row: &rusqlite::Row<'_>,
    prompts: &mut Prompts<'_>,
) -> Result<Result<Record, BadRow>, Problem> {
    let prompt = match row.get_ref(8)?.as_str_or_null() {
        Ok(Some(ids)) => match prompts.read(ids)? {
            Ok(prompt) => Some(prompt),
            Err(bad) => return Ok(Err(bad.into())),
        },
        Ok(None) => None,
        Err(bad) => return Ok(Err(bad.into())),
    };
    Ok(read(row, prompt))
}

fn read(row: &rusqlite::Row<'_>, prompt: Option<Arc<PromptSegments>>) -> Result<Record, BadRow> {
    let content = Content {
        kind: row.get_ref(3)?.as_str()?,
        key: row.get_ref(4)?.as_str_or_null()?,
        engine: row.get_ref(5)?.as_str_or_null()?,
        reply: row.get_ref(6)?.as_str_or_null()?,
        body: row.get_ref(7)?.as_str()?,
    };
    content.read(row.get(1)?, row.get(2)?, prompt)
}

/// A page of the database that can't be read is damage to the entry that was read from it.
fn damaged(run: &RunId, entry: u64, error: rusqlite::Error) -> Problem {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt) => corrupt(run, entry, error.into()).into(),
        _ => error.into(),
    }
}

fn corrupt(run: &RunId, entry: u64, source: BadRow) -> StoreError {
    StoreError::Corrupt { run: run.clone(), entry, source }
}

/// The last entry, up to a number, from which the run can be read.
pub(crate) fn last_whole(
    connection: &Connection,
    run: &RunId,
    until: u64,
) -> Result<Option<u64>, Problem> {
    let mut statement = connection.prepare_cached(
        "SELECT number FROM journal WHERE is_whole AND number <= ? \
         AND run = (SELECT id FROM runs WHERE run = ?) ORDER BY number DESC LIMIT 1",
    )?;
    let number = statement.query_row(params![signed(until), run.as_str()], |row| row.get(0));
    Ok(number.optional()?.map(|number: i64| number.try_into().unwrap_or_default()))
}
