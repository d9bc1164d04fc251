//! Maintenance of a store: removal, pruning, cutting, vacuum and backup.

use std::{fs::File, path::Path, time::SystemTime};

use cot_store::{RunId, RunSummary, StoreError};
use rusqlite::Connection;

use crate::{
    blobs,
    column::{entry_id, millis, signed},
    driving::lease,
    error::{OperationError, failed},
    journal,
    runs::table,
    spending,
    writing::write_connection::WriteConnection,
};

/// Removes a run with its journal, its answers, and the blobs that no other run refers to.
pub(crate) fn remove(db: &mut WriteConnection, run: &RunId) -> Result<(), OperationError> {
    let id = table::id(&db.connection, run)?;
    lease::refuse_driven(&db.connection, &db.owners, run)?;
    db.cache.remove_run(run);
    spending::settle(&db.connection, id)?;
    delete_run(&db.connection, id)
}

/// Removes the ended runs that were last written before `before`. Returns how many.
pub(crate) fn prune(db: &mut WriteConnection, before: SystemTime) -> Result<u64, OperationError> {
    let mut old =
        db.connection.prepare_cached("SELECT id, run FROM runs WHERE is_ended AND updated < ?")?;
    let old = old.query_map([millis(before)], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let old = old.collect::<Result<Vec<(i64, String)>, _>>()?;
    let mut count = 0;
    for (id, run) in old {
        let is_driven = match run.parse() {
            Ok(run) => is_driven(db, &run)?,
            Err(_) => false,
        };
        if !is_driven {
            db.cache.clear();
            delete_run(&db.connection, id)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Returns whether a run is driven. Its driver may hold the lease for a moment after the end of the
/// run.
fn is_driven(db: &WriteConnection, run: &RunId) -> Result<bool, OperationError> {
    match lease::refuse_driven(&db.connection, &db.owners, run) {
        Err(OperationError::Store(StoreError::Leased { .. })) => Ok(true),
        other => other.map(|()| false),
    }
}

/// Deletes a run; its entries, its answers and the blobs that only it refers to are deleted by triggers and
/// foreign keys.
fn delete_run(connection: &Connection, id: i64) -> Result<(), OperationError> {
    connection.prepare_cached("DELETE FROM runs WHERE id = ?")?.execute([id])?;
    Ok(())
}

/// Deletes the entries of a run from number `from`. Returns how many.
pub(crate) fn cut(db: &mut WriteConnection, run: &RunId, from: u64) -> Result<u64, OperationError> {
    lease::refuse_driven(&db.connection, &db.owners, run)?;
    db.cache.remove_run(run);
    let id = table::id(&db.connection, run)?;
    let summary = summary_before(&db.connection, run, id, from)?;
    // The removed calls were made.
    spending::settle(&db.connection, id)?;
    let mut statement =
        db.connection.prepare_cached("DELETE FROM journal WHERE id BETWEEN ? AND ?")?;
    let count = statement.execute([entry_id(id, from), entry_id(id, u64::MAX)])?;
    if count > 0 {
        // It answered a question that the run may ask again in other words.
        db.connection.execute("DELETE FROM answers WHERE run = ?", [id])?;
        blobs::drop_unused(&db.connection, id)?;
    }
    table::save(&db.connection, id, &summary)?;
    Ok(count.try_into().unwrap_or(u64::MAX))
}

/// Rebuilds the summary of a run from the entries before a number. All of them must be readable.
fn summary_before(
    connection: &Connection,
    run: &RunId,
    id: i64,
    number: u64,
) -> Result<RunSummary, OperationError> {
    let count = count_before(connection, run, id, number)?;
    let mut left = journal::entries(connection, run, 0, count)?.into_iter();
    let Some(first) = left.next() else {
        let why = ": nothing would be left; remove the run instead";
        return Err(failed("cutting a journal", why, format!("cut from entry {number} on")).into());
    };
    let mut summary = RunSummary::from_record(run, &first.record)?;
    left.try_for_each(|entry| summary.apply(&entry.record))?;
    Ok(summary)
}

/// Counts the entries before a number. Fails if one is missing.
fn count_before(
    connection: &Connection,
    run: &RunId,
    id: i64,
    number: u64,
) -> Result<usize, OperationError> {
    let mut statement = connection
        .prepare_cached("SELECT number FROM journal WHERE id >= ? AND id < ? ORDER BY id")?;
    let mut numbers = statement.query([entry_id(id, 0), entry_id(id, number)])?;
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

/// Deletes texts that no prompt refers to.
pub(crate) fn drop_unused_texts(db: &mut WriteConnection) -> Result<(), OperationError> {
    db.connection.execute(
        "DELETE FROM segments WHERE id NOT IN \
         (SELECT texts.value FROM journal, json_each(journal.prompt) AS texts WHERE texts.type = 'integer')",
        [],
    )?;
    db.fixed.clear();
    Ok(())
}

/// Shrinks the database file to its minimal size.
pub(crate) fn vacuum(db: &mut WriteConnection) -> Result<(), OperationError> {
    db.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(())
}

/// Copies the database in its current state to a new file.
pub(crate) fn back_up(connection: &Connection, to: &Path) -> Result<(), OperationError> {
    let what = "making a backup";
    let path = to.to_str().ok_or_else(|| failed(what, "", "the path is not UTF-8"))?;
    connection.execute("VACUUM INTO ?", [path])?;
    // SQLite does not sync the copy itself.
    let synced = File::open(to).and_then(|file| file.sync_all());
    synced.map_err(|error| failed(what, ": the copy could not be synced to the disk", error).into())
}
