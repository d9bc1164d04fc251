//! Maintenance of a store: removal, pruning and cutting of runs.

use std::time::SystemTime;

use cot_store::{
    EntryHash, RunId, RunSummary, StoreError,
    internal::{millis, signed},
};
use sqlx::{PgConnection, Row as _};

use crate::{
    append::progress::{PROGRESS, ProgressColumns, assign, progress_arrays},
    database::Database,
    driving::{
        lease::{IS_FREE, leased},
        owners::Owners,
    },
    error::{OperationError, failed},
    journal,
    runs::{
        due::SERVER_NOW,
        table::{self, unknown},
    },
    spending,
};

/// How many runs are removed in one transaction.
const BATCH: i64 = 200;

/// Removes a run with its journal, its answer, and the blobs that no other run refers to.
pub(crate) async fn remove(
    db: &Database,
    owners: &Owners,
    run: &RunId,
    attempt: u32,
) -> Result<(), OperationError> {
    let sql = format!("r.run = $1 AND r.status IS NOT NULL AND {IS_FREE}");
    let sql = db.sql(delete(&sql));
    let mut transaction = db.pool.begin().await?;
    let query = sqlx::query_scalar(&sql).bind(run.as_str()).bind(owners.own_id());
    let query = query.bind(owners.is_free(run));
    let ids: Vec<i64> = query.fetch_all(&mut *transaction).await?;
    delete_blobs(db, &mut transaction, &ids).await?;
    transaction.commit().await?;
    if !ids.is_empty() {
        return Ok(());
    }
    match table::find(db, run).await? {
        Some(_) => Err(leased(db, run).await?.into()),
        // An earlier attempt has removed it.
        None if attempt > 0 => Ok(()),
        None => Err(unknown(run).into()),
    }
}

/// Removes ended runs that were last written before a time, at most a batch of them. Returns how many.
pub(crate) async fn prune(
    db: &Database,
    owners: &Owners,
    before: SystemTime,
) -> Result<u64, OperationError> {
    let sql = db.sql(delete(&format!(
        "r.id IN (SELECT id FROM cot.runs r WHERE r.is_ended AND r.updated < $1 AND {IS_FREE} LIMIT {BATCH}) \
         AND r.is_ended AND {IS_FREE}"
    )));
    let mut transaction = db.pool.begin().await?;
    let query = sqlx::query_scalar(&sql).bind(millis(before)).bind(owners.own_id()).bind(false);
    let ids: Vec<i64> = query.fetch_all(&mut *transaction).await?;
    delete_blobs(db, &mut transaction, &ids).await?;
    transaction.commit().await?;
    Ok(ids.len() as u64)
}

/// Returns the statement that deletes the runs `r` of a condition, but for the blobs that only they refer to, and keeps
/// what they have spent.
fn delete(condition: &str) -> String {
    format!(
        "WITH run AS (DELETE FROM cot.runs r WHERE {condition} RETURNING r.id),
        entry AS (DELETE FROM cot.journal USING run WHERE journal.run = run.id),
        draft AS (DELETE FROM cot.drafts USING run WHERE drafts.run = run.id),
        gone AS (DELETE FROM cot.spending USING run WHERE spending.run = run.id RETURNING spending.*),
        kept AS ({})
        SELECT id FROM run",
        spending::keep()
    )
}

/// Deletes the blobs that no run refers to, if runs were deleted. Their uses were deleted with them.
async fn delete_blobs(
    db: &Database,
    connection: &mut PgConnection,
    deleted: &[i64],
) -> Result<(), OperationError> {
    if deleted.is_empty() {
        return Ok(());
    }
    let sql = db.sql(
        "DELETE FROM cot.blobs WHERE NOT EXISTS \
         (SELECT 1 FROM cot.blob_uses WHERE blob_uses.digest = blobs.digest)",
    );
    sqlx::query(&sql).execute(connection).await?;
    Ok(())
}

/// Deletes the entries of a run from a number on. Returns how many.
pub(crate) async fn cut(
    db: &Database,
    owners: &Owners,
    run: &RunId,
    from: u64,
) -> Result<u64, OperationError> {
    let known = table::find(db, run).await?.ok_or_else(|| unknown(run))?;
    let (summary, hash) = before(db, run, from).await?;
    let mut transaction = db.pool.begin().await?;
    let sql = db.sql(format!(
        "SELECT r.id, r.hash FROM cot.runs r WHERE r.run = $1 AND {IS_FREE} FOR UPDATE"
    ));
    let query =
        sqlx::query(&sql).bind(run.as_str()).bind(owners.own_id()).bind(owners.is_free(run));
    let Some(row) = query.fetch_optional(&mut *transaction).await? else {
        return Err(leased(db, run).await?.into());
    };
    let id: i64 = row.try_get(0)?;
    // The hash says all of the journal, which may have been cut or continued since it was read.
    if id != known.id
        || row.try_get::<Option<&[u8]>, _>(1)?.and_then(EntryHash::from_bytes) != known.hash
    {
        return Err(OperationError::Outdated);
    }
    let sql = db.sql("DELETE FROM cot.journal WHERE run = $1 AND number >= $2");
    let query = sqlx::query(&sql).bind(id).bind(signed(from));
    let count = query.execute(&mut *transaction).await?.rows_affected();
    // An answer may be to a question that the run asks again in other words.
    let sql = db.sql(format!(
        "UPDATE cot.runs SET {progress}, answer_key = NULL, answer = NULL, \
         set_aside = NULL, set_aside_at = NULL, due = CASE \
             WHEN cancel_at IS NOT NULL THEN LEAST(cancel_at, {SERVER_NOW}) \
             WHEN new.status IN ('queued', 'running') THEN LEAST($24, {SERVER_NOW}) ELSE $24 END \
         FROM UNNEST({values}) AS new({PROGRESS}) WHERE id = $23",
        values = progress_arrays(),
        progress = assign("new"),
    ));
    let query = ProgressColumns::from_run(&summary, hash)?.bind(sqlx::query(&sql)).bind(id);
    query.bind(summary.due_at().map(millis)).execute(&mut *transaction).await?;
    let sql = db.sql(
        "DELETE FROM cot.blob_uses WHERE run = $1 AND NOT EXISTS (SELECT 1 FROM cot.journal \
         WHERE journal.run = $1 AND strpos(journal.body, 'sha256:' || encode(blob_uses.digest, 'hex')) > 0)",
    );
    sqlx::query(&sql).bind(id).execute(&mut *transaction).await?;
    delete_blobs(db, &mut transaction, &[id]).await?;
    transaction.commit().await?;
    Ok(count)
}

/// Rebuilds the summary of a run from the entries before a number, and returns the hash of the last. All of them must
/// be readable.
async fn before(
    db: &Database,
    run: &RunId,
    number: u64,
) -> Result<(RunSummary, EntryHash), OperationError> {
    let limit = usize::try_from(number).unwrap_or(usize::MAX);
    let entries = if limit == 0 { Vec::new() } else { journal::entries(db, run, 0, limit).await? };
    let wrong = entries.iter().zip(0..).find(|(entry, number)| entry.number != *number);
    if let Some((_, entry)) = wrong {
        let source = "it is missing".into();
        return Err(StoreError::Corrupt { run: run.clone(), entry, source }.into());
    }
    let (Some(first), Some(hash)) = (entries.first(), entries.last().and_then(|last| last.hash))
    else {
        table::id(db, run).await?;
        let why = ": nothing would be left; remove the run instead";
        return Err(failed("cutting a journal", why, format!("cut from entry {number} on")).into());
    };
    let mut summary = RunSummary::from_record(run, &first.record)?;
    entries.iter().skip(1).try_for_each(|entry| summary.apply(&entry.record))?;
    Ok((summary, hash))
}
