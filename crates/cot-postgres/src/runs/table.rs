//! The table of runs.

use cot_engine::CallKey;
use cot_model::Usage;
use cot_store::{
    CancelRequest, EntryHash, Origin, RunId, RunSummary, SetAside, Status, StoreError,
    internal::time,
};
use sqlx::{Row as _, postgres::PgRow};

use crate::{
    column::{count, optional_text, optional_time, parsed, text},
    database::Database,
    error::{OperationError, unreadable},
};

/// A row of the table.
#[derive(Debug)]
pub(crate) struct StoredRun {
    /// The id of the run in the database.
    pub(crate) id: i64,
    /// `None` while only the name of the run is leased.
    pub(crate) summary: Option<RunSummary>,
    /// The hash of the last entry.
    pub(crate) hash: Option<EntryHash>,
    pub(crate) owner: Option<i64>,
    /// The name of the owner, if it is alive.
    pub(crate) owner_name: Option<String>,
    pub(crate) epoch: u64,
    pub(crate) crashes: u32,
}

/// The columns that [`StoredRun`] is read from, of the rows `r` and `o`.
pub(crate) const COLUMNS: &str = "r.id, r.run, r.process, r.status, r.task, r.steps, r.calls, r.uncounted_calls, \
    r.input_tokens, r.output_tokens, r.cached_tokens, r.cache_write_tokens, r.reasoning_tokens, r.cost, r.begun, \
    r.updated, r.entries, r.hash, r.origin, r.origin_steps, r.standing, r.answer_key, r.cancel_at, r.cancel_reason, \
    r.set_aside, r.set_aside_at, r.owner, r.epoch, r.crashes, o.name AS owner_name";

/// Adds the living owner `o` of the lease of a row `r`.
pub(crate) const OWNER: &str =
    "LEFT JOIN cot.owners o ON o.id = r.owner AND o.expires > clock_timestamp()";

/// Reads a run, also one of which only the name is leased.
pub(crate) async fn find_row(
    db: &Database,
    run: &RunId,
) -> Result<Option<StoredRun>, OperationError> {
    let sql = db.sql(format!("SELECT {COLUMNS} FROM cot.runs r {OWNER} WHERE r.run = $1"));
    let row = sqlx::query(&sql).bind(run.as_str()).fetch_optional(&db.pool).await?;
    row.map(|row| StoredRun::from_row(&row)).transpose()
}

pub(crate) async fn find(db: &Database, run: &RunId) -> Result<Option<StoredRun>, OperationError> {
    Ok(find_row(db, run).await?.filter(|known| known.summary.is_some()))
}

pub(crate) async fn find_id(db: &Database, run: &RunId) -> Result<Option<i64>, OperationError> {
    let sql = db.sql("SELECT id FROM cot.runs WHERE run = $1 AND status IS NOT NULL");
    Ok(sqlx::query_scalar(&sql).bind(run.as_str()).fetch_optional(&db.pool).await?)
}

pub(crate) async fn id(db: &Database, run: &RunId) -> Result<i64, OperationError> {
    Ok(find_id(db, run).await?.ok_or_else(|| unknown(run))?)
}

pub(crate) fn unknown(run: &RunId) -> StoreError {
    StoreError::UnknownRun { run: run.clone() }
}

impl StoredRun {
    pub(crate) fn from_row(row: &PgRow) -> Result<Self, OperationError> {
        let summary = match row.try_get::<Option<&str>, _>("status")? {
            Some(_) => Some(summary(row)?),
            None => None,
        };
        Ok(Self {
            id: row.try_get("id")?,
            summary,
            hash: row.try_get::<Option<&[u8]>, _>("hash")?.and_then(EntryHash::from_bytes),
            owner: row.try_get("owner")?,
            owner_name: optional_text(row, "owner_name")?,
            epoch: count(row, "epoch")?,
            crashes: row.try_get::<i32, _>("crashes")?.try_into().unwrap_or_default(),
        })
    }
}

fn summary(row: &PgRow) -> Result<RunSummary, OperationError> {
    let status = match row.try_get::<Option<&str>, _>("standing")? {
        Some(json) => serde_json::from_str(json).map_err(|error| unreadable("standing", error))?,
        None => Status::Running { task: text(row, "task")? },
    };
    let begun = time(row.try_get("begun")?);
    let mut summary = RunSummary::new(parsed(row, "run")?, text(row, "process")?, status, begun);
    summary.steps = count(row, "steps")?;
    summary.usage = usage(row)?;
    summary.updated = time(row.try_get("updated")?);
    summary.entries = count(row, "entries")?;
    if row.try_get::<Option<&str>, _>("origin")?.is_some() {
        let steps = count(row, "origin_steps")?;
        summary.origin = Some(Origin { run: parsed(row, "origin")?, steps });
    }
    let set_aside = optional_text(row, "set_aside")?.zip(optional_time(row, "set_aside_at")?);
    summary.set_aside = set_aside.map(|(why, at)| SetAside::new(why, at));
    let cancel = optional_text(row, "cancel_reason")?.zip(optional_time(row, "cancel_at")?);
    summary.cancel_requested = cancel.map(|(reason, at)| CancelRequest::new(reason, at));
    let answered = row.try_get::<Option<&str>, _>("answer_key")?;
    summary.is_answered = answered.is_some() && answered == asked(&summary.status).as_deref();
    Ok(summary)
}

/// Reads the columns of what was used.
pub(crate) fn usage(row: &PgRow) -> Result<Usage, sqlx::Error> {
    Ok(Usage {
        calls: count(row, "calls")?,
        uncounted_calls: count(row, "uncounted_calls")?,
        input_tokens: count(row, "input_tokens")?,
        output_tokens: count(row, "output_tokens")?,
        cached_tokens: count(row, "cached_tokens")?,
        cache_write_tokens: count(row, "cache_write_tokens")?,
        reasoning_tokens: count(row, "reasoning_tokens")?,
        cost: row.try_get("cost")?,
    })
}

/// Returns the key of the question that a run asks.
pub(crate) fn asked(status: &Status) -> Option<String> {
    match status {
        Status::Asking { key, .. } => Some(CallKey::to_string(key)),
        _ => None,
    }
}
