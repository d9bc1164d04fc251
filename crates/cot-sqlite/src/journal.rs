//! The table of entries.

use std::{iter, sync::Arc};

use cot_core::{
    PromptSegments,
    store::{Entry, Record, RunId, RunSummary, Status, StoreError},
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::{millis, place},
    desk::Desk,
    driven::DrivenRun,
    error::Problem,
    lease,
    prompt::{KeptPrompt, Prompts},
    row::{self, BadRow, Content, Row},
    runs::{self, Known},
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
                .map(|Known { id, summary, .. }| DrivenRun::new(id, summary))
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
    let mut begun = DrivenRun::new(runs::add(&desk.connection, &summary)?, summary);
    add(desk, &mut begun, 0, first, row)?;
    Ok(begun)
}

fn go_on<'a>(
    desk: &mut Desk,
    mut run: DrivenRun,
    entries: impl Iterator<Item = (&'a Record, &'a Row)>,
) -> Result<DrivenRun, Problem> {
    let (before, was_running) = (run.summary.entries, is_running(&run.summary));
    // A run that has got a reply writes more at once. So its row is written where it waits for something.
    let mut is_waiting = false;
    for (record, row) in entries {
        is_waiting = matches!(record, Record::Step(_));
        take_answer(&desk.connection, run.id, &run.summary.status, record)?;
        let number = run.summary.entries;
        add(desk, &mut run, number, record, row)?;
        run.summary.apply(record)?;
    }
    let DrivenRun { id, summary, saved, .. } = &run;
    if summary.entries == before {
        return Ok(run);
    }
    if !was_running || !is_running(summary) {
        runs::save(&desk.connection, *id, summary)?;
    } else if is_waiting || summary.entries - saved > MAX_UNSAVED {
        runs::save_progress(&desk.connection, *id, summary)?;
    } else {
        return Ok(run);
    }
    run.saved = run.summary.entries;
    Ok(run)
}

/// The row of a run that is running is at most so many entries older than the run.
const MAX_UNSAVED: u64 = 64;

const fn is_running(summary: &RunSummary) -> bool {
    matches!(summary.status, Status::Running { .. })
}

fn add(
    desk: &mut Desk,
    run: &mut DrivenRun,
    number: u64,
    record: &Record,
    row: &Row,
) -> Result<(), Problem> {
    let Desk { connection, fixed, .. } = desk;
    let prompt = row::prompt(record).map(|prompt| {
        KeptPrompt::keep(connection, fixed, &mut run.texts, (run.id, number), prompt)
    });
    let prompt = prompt.transpose()?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO journal (id, at, is_whole, sum, kind, task, key, attempt, engine, millis, reply, body, \
         prompt, texts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    statement.execute(params![
        place(run.id, number),
        millis(record.at()),
        record.is_whole(),
        row.sum(prompt.as_ref().zip(row::prompt(record))),
        row::kind(record),
        row::task(record),
        row.key,
        row::asked(record).map(|asked| asked.key.attempt()),
        row::engine(record),
        row::elapsed(record),
        row::reply(record),
        row.body,
        prompt.as_ref().map(|prompt| &prompt.list),
        prompt.as_ref().map(|prompt| &prompt.texts),
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
    let mut prompts = Prompts::new(connection, id);
    let mut statement = connection.prepare_cached(
        "SELECT number, at, sum, kind, key, engine, reply, body, prompt, texts FROM journal \
         WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?",
    )?;
    let limit = i64::try_from(limit).unwrap_or(-1);
    let mut rows = statement.query(params![place(id, from), place(id, u64::MAX), limit])?;
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
    let text = |column| row.get_ref(column)?.as_str_or_null().map_err(BadRow::from);
    let prompt = match text(8).and_then(|list| Ok((list, text(9)?))) {
        Ok((Some(list), texts)) => match prompts.read(list, texts.unwrap_or_default())? {
            Ok(prompt) => Some((list, prompt)),
            Err(bad) => return Ok(Err(bad.into())),
        },
        Ok((None, _)) => None,
        Err(bad) => return Ok(Err(bad)),
    };
    Ok(read(row, prompt))
}

fn read(
    row: &rusqlite::Row<'_>,
    prompt: Option<(&str, Arc<PromptSegments>)>,
) -> Result<Record, BadRow> {
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
        "SELECT number FROM journal WHERE is_whole AND id <= ? AND id >= ? ORDER BY id DESC LIMIT 1",
    )?;
    let Some(id) = runs::find_id(connection, run)? else { return Ok(None) };
    let number = statement.query_row([place(id, until), place(id, 0)], |row| row.get(0));
    Ok(number.optional()?.map(|number: i64| number.try_into().unwrap_or_default()))
}
