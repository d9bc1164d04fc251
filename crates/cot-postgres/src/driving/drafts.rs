//! Drafts: the replies that models are writing. Their table is not logged, so that they cost no wait for the disk.

use cot_store::{Draft, Lease, RunId, StoreError};
use sqlx::Row as _;

use crate::{
    database::Database,
    driving::owners::Owners,
    error::{OperationError, unreadable, unwritable},
    runs::table::StoredRun,
};

/// Adds, replaces or removes a draft.
pub(crate) async fn put(
    db: &Database,
    owners: &Owners,
    lease: &Lease,
    draft: &Draft,
) -> Result<(), OperationError> {
    let text = serde_json::to_string(draft);
    let text = text.map_err(|error| unwritable("writing a draft", error))?;
    let sql = db.sql(if draft.is_empty() {
        "WITH run AS (SELECT id FROM cot.runs WHERE run = $1 AND epoch = $2 AND owner = $3),
        gone AS (DELETE FROM cot.drafts USING run WHERE drafts.run = run.id AND key = $4 AND $5 <> '')
        SELECT id FROM run"
    } else {
        "INSERT INTO cot.drafts (run, key, epoch, draft)
        SELECT id, $4, $2, $5 FROM cot.runs WHERE run = $1 AND epoch = $2 AND owner = $3
        ON CONFLICT (run, key) DO UPDATE SET epoch = excluded.epoch, draft = excluded.draft RETURNING run"
    });
    let query = sqlx::query(&sql)
        .bind(lease.run().as_str())
        .bind(lease.epoch().cast_signed())
        .bind(owners.own_id())
        .bind(draft.key.to_string())
        .bind(text);
    let run = query.fetch_optional(&db.pool).await?;
    run.map(drop).ok_or_else(|| StoreError::LeaseLost { run: lease.run().clone() }.into())
}

/// Removes the drafts of calls that were answered, or all of a run that has ended.
pub(crate) async fn take(
    db: &Database,
    run: &RunId,
    keys: &[String],
    is_ended: bool,
) -> Result<(), OperationError> {
    let sql = db.sql(
        "DELETE FROM cot.drafts USING cot.runs r \
         WHERE drafts.run = r.id AND r.run = $1 AND ($3 OR drafts.key = ANY($2))",
    );
    sqlx::query(&sql).bind(run.as_str()).bind(keys).bind(is_ended).execute(&db.pool).await?;
    Ok(())
}

/// Reads the drafts of the driver of a run.
pub(crate) async fn read(db: &Database, run: &StoredRun) -> Result<Vec<Draft>, OperationError> {
    let sql = db.sql("SELECT draft FROM cot.drafts WHERE run = $1 AND epoch = $2 ORDER BY key");
    let query = sqlx::query(&sql).bind(run.id).bind(run.epoch.cast_signed());
    let rows = query.fetch_all(&db.pool).await?;
    let draft = |row: &sqlx::postgres::PgRow| {
        let draft = serde_json::from_str(row.try_get("draft")?);
        draft.map_err(|error| unreadable("draft", error))
    };
    rows.iter().map(draft).collect()
}
