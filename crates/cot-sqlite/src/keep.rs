//! What is done to a store as it grows old.

use std::{fs::File, path::Path, time::SystemTime};

use cot_core::store::{RunId, RunSummary, StoreError};
use rusqlite::Connection;

use crate::{
    column::{millis, place, signed},
    desk::Desk,
    error::{Problem, failed},
    journal, lease, runs,
};

/// Forgets a run.
pub(crate) fn remove(desk: &mut Desk, run: &RunId) -> Result<(), Problem> {
    let id = runs::id(&desk.connection, run)?;
    lease::refuse_driven(&desk.connection, &desk.owners, run)?;
    desk.driven.forget_run(run);
    forget(&desk.connection, id)
}

/// Forgets runs that ended before a time.
pub(crate) fn prune(desk: &mut Desk, before: SystemTime) -> Result<u64, Problem> {
    let mut old = desk
        .connection
        .prepare_cached("SELECT id, run FROM runs WHERE is_ended AND updated < ?")?;
    let old = old.query_map([millis(before)], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let old = old.collect::<Result<Vec<(i64, String)>, _>>()?;
    let mut count = 0;
    for (id, run) in old {
        let is_driven = match run.parse() {
            Ok(run) => is_driven(desk, &run)?,
            Err(_) => false,
        };
        if !is_driven {
            desk.driven.forget();
            forget(&desk.connection, id)?;
            count += 1;
        }
    }
    Ok(count)
}

/// A run that is over may be in the hands of its driver for another moment.
fn is_driven(desk: &Desk, run: &RunId) -> Result<bool, Problem> {
    match lease::refuse_driven(&desk.connection, &desk.owners, run) {
        Err(Problem::Store(StoreError::Leased { .. })) => Ok(true),
        other => other.map(|()| false),
    }
}

/// What belongs to the run goes with it.
fn forget(connection: &Connection, id: i64) -> Result<(), Problem> {
    connection.prepare_cached("DELETE FROM runs WHERE id = ?")?.execute([id])?;
    Ok(())
}

/// Drops the entries of a run from a number on; gives how many they were.
pub(crate) fn cut(desk: &mut Desk, run: &RunId, from: u64) -> Result<u64, Problem> {
    lease::refuse_driven(&desk.connection, &desk.owners, run)?;
    desk.driven.forget_run(run);
    let id = runs::id(&desk.connection, run)?;
    let summary = summary_before(&desk.connection, run, id, from)?;
    let mut statement =
        desk.connection.prepare_cached("DELETE FROM journal WHERE id BETWEEN ? AND ?")?;
    let count = statement.execute([place(id, from), place(id, u64::MAX)])?;
    if count > 0 {
        // It was for a question that the run may ask anew, in other words.
        desk.connection.execute("DELETE FROM answers WHERE run = ?", [id])?;
    }
    runs::save(&desk.connection, id, &summary)?;
    Ok(count.try_into().unwrap_or(u64::MAX))
}

/// A run as the entries before a number tell it. All of them have to read.
fn summary_before(
    connection: &Connection,
    run: &RunId,
    id: i64,
    number: u64,
) -> Result<RunSummary, Problem> {
    let count = count_before(connection, run, id, number)?;
    let mut left = journal::entries(connection, run, 0, count)?.into_iter();
    let Some(first) = left.next() else {
        let why = ": nothing would be left; remove the run instead";
        return Err(failed("cutting a journal", why, format!("cut from entry {number} on")).into());
    };
    let mut summary = RunSummary::of(run, &first.record)?;
    left.try_for_each(|entry| summary.apply(&entry.record))?;
    Ok(summary)
}

/// How many entries there are before a number: one for each number, or one is missing.
fn count_before(
    connection: &Connection,
    run: &RunId,
    id: i64,
    number: u64,
) -> Result<usize, Problem> {
    let mut statement = connection
        .prepare_cached("SELECT number FROM journal WHERE id >= ? AND id < ? ORDER BY id")?;
    let mut numbers = statement.query([place(id, 0), place(id, number)])?;
    let mut count = 0;
    while let Some(row) = numbers.next()? {
        if row.get::<_, i64>(0)? != signed(count) {
            let source = "it is missing".into();
            return Err(StoreError::Corrupt { run: run.clone(), entry: count, source }.into());
        }
        count += 1;
    }
    Ok(count.try_into().unwrap_or(usize::MAX))
}

/// Drops texts that are in no prompt any more.
pub(crate) fn drop_unused_texts(desk: &mut Desk) -> Result<(), Problem> {
    desk.connection.execute(
        "DELETE FROM segments WHERE id NOT IN \
         (SELECT texts.value FROM journal, json_each(journal.prompt) AS texts WHERE texts.type = 'integer')",
        [],
    )?;
    desk.fixed.forget();
    Ok(())
}

/// Makes the file as small as it can be.
pub(crate) fn vacuum(desk: &mut Desk) -> Result<(), Problem> {
    desk.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(())
}

/// Copies the store as it is now.
pub(crate) fn back_up(connection: &Connection, to: &Path) -> Result<(), Problem> {
    let what = "making a backup";
    let path = to.to_str().ok_or_else(|| failed(what, "", "the path is not UTF-8"))?;
    connection.execute("VACUUM INTO ?", [path])?;
    // SQLite leaves this to its caller.
    let synced = File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| failed(what, ": the copy is not safe on the disk", error).into())
}
