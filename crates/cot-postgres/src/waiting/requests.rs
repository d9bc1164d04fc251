//! Answers, requests to cancel, and runs that are set aside: what others than the driver write to a run.
//!
//! Each reads the run and writes on the condition that the journal has not grown since; otherwise it begins again.

use std::time::SystemTime;

use cot_engine::{CallKey, Event};
use cot_store::{
    CancelRequest, EventRecord, Lease, Record, RunId, SetAside, StoreError,
    internal::{millis, signed, time},
};
use serde_json::Value;
use sqlx::Row as _;

use crate::{
    column::text,
    database::Database,
    driving::owners::Owners,
    error::{OperationError, unreadable},
    journal,
    runs::{
        due::SERVER_NOW,
        table::{asked, find, unknown},
    },
    text::escape,
    waiting::listener::DUE,
};

/// Stores an answer, and wakes the driver and the workers.
pub(crate) async fn put_answer(
    db: &Database,
    run: &RunId,
    (key, answer): (&CallKey, &Value),
    attempt: u32,
) -> Result<(), OperationError> {
    let known = find(db, run).await?.and_then(|known| known.summary);
    let known = known.ok_or_else(|| unknown(run))?;
    match known.check_answer(key, answer) {
        // An earlier attempt may have been done, and the driver has taken the answer since.
        Err(StoreError::NotAsked { .. })
            if attempt > 0 && is_taken(db, run, key, answer).await? =>
        {
            return Ok(());
        }
        checked => checked?,
    }
    let sql = db.sql(format!(
        "UPDATE cot.runs SET answer_key = $3, answer = $4, \
         due = CASE WHEN set_aside_at IS NULL THEN LEAST($5, {SERVER_NOW}) END \
         WHERE run = $1 AND entries = $2 RETURNING pg_notify($6, $1), pg_notify($6, '{DUE}')",
    ));
    let query = sqlx::query(&sql)
        .bind(run.as_str())
        .bind(signed(known.entries))
        .bind(key.to_string())
        .bind(answer.to_string())
        .bind(millis(SystemTime::now()))
        .bind(db.channel());
    let done = query.fetch_optional(&db.pool).await?;
    done.map(drop).ok_or(OperationError::Outdated)
}

/// Returns whether the driver has taken this answer.
async fn is_taken(
    db: &Database,
    run: &RunId,
    key: &CallKey,
    answer: &Value,
) -> Result<bool, OperationError> {
    let sql = db.sql(
        "SELECT number FROM cot.journal JOIN cot.runs ON runs.id = journal.run \
         WHERE runs.run = $1 AND key = $2 AND kind = 'answered' ORDER BY number DESC LIMIT 1",
    );
    let number = sqlx::query_scalar::<_, i64>(&sql).bind(run.as_str()).bind(key.to_string());
    let Some(number) = number.fetch_optional(&db.pool).await? else { return Ok(false) };
    let entries = journal::entries(db, run, number.try_into().unwrap_or_default(), 1).await?;
    let taken = entries.first().and_then(|entry| match &entry.record {
        Record::Event(EventRecord { event: Event::Answered { answer, .. }, .. }) => Some(answer),
        _ => None,
    });
    Ok(taken == Some(answer))
}

/// Finds the answer to a question.
pub(crate) async fn find_answer(
    db: &Database,
    run: &RunId,
    key: &str,
) -> Result<Option<Value>, OperationError> {
    let sql = db.sql("SELECT answer FROM cot.runs WHERE run = $1 AND answer_key = $2");
    let answer = sqlx::query_scalar::<_, String>(&sql).bind(run.as_str()).bind(key);
    let answer = answer.fetch_optional(&db.pool).await?;
    let answer = answer.map(|answer| serde_json::from_str(&answer)).transpose();
    answer.map_err(|error| unreadable("answer", error))
}

/// Stores a request to cancel a run, unless there is one, makes the run due, and wakes the driver and the workers.
pub(crate) async fn cancel(
    db: &Database,
    run: &RunId,
    request: &CancelRequest,
) -> Result<(), OperationError> {
    let known = find(db, run).await?.and_then(|known| known.summary);
    let mut known = known.ok_or_else(|| unknown(run))?;
    known.request_cancel(request.clone())?;
    let sql = db.sql(format!(
        "UPDATE cot.runs SET cancel_at = COALESCE(cancel_at, $3), cancel_reason = COALESCE(cancel_reason, $4), \
         due = LEAST(COALESCE(cancel_at, $3), {SERVER_NOW}), set_aside = NULL, set_aside_at = NULL, crashes = 0 \
         WHERE run = $1 AND entries = $2 RETURNING pg_notify($5, $1), pg_notify($5, '{DUE}')",
    ));
    let query = sqlx::query(&sql)
        .bind(run.as_str())
        .bind(signed(known.entries))
        .bind(millis(request.at))
        .bind(escape(&request.reason))
        .bind(db.channel());
    let done = query.fetch_optional(&db.pool).await?;
    done.map(drop).ok_or(OperationError::Outdated)
}

/// Finds a request to cancel a run.
pub(crate) async fn find_cancel(
    db: &Database,
    run: &RunId,
) -> Result<Option<CancelRequest>, OperationError> {
    let sql = db.sql(
        "SELECT cancel_at, cancel_reason FROM cot.runs WHERE run = $1 AND cancel_at IS NOT NULL",
    );
    let row = sqlx::query(&sql).bind(run.as_str()).fetch_optional(&db.pool).await?;
    let Some(row) = row else { return Ok(None) };
    let at = time(row.try_get("cancel_at")?);
    Ok(Some(CancelRequest::new(text(&row, "cancel_reason")?, at)))
}

/// Sets a run aside.
pub(crate) async fn set_aside(
    db: &Database,
    owners: &Owners,
    lease: &Lease,
    SetAside { why, at, .. }: &SetAside,
) -> Result<(), OperationError> {
    let run = lease.run();
    let sql = db.sql(
        "UPDATE cot.runs SET set_aside = $4, set_aside_at = $5, due = NULL \
         WHERE run = $1 AND epoch = $2 AND owner = $3 AND status IS NOT NULL",
    );
    let query = sqlx::query(&sql).bind(run.as_str()).bind(lease.epoch().cast_signed());
    let query = query.bind(owners.own_id()).bind(escape(why)).bind(millis(*at));
    if query.execute(&db.pool).await?.rows_affected() > 0 {
        return Ok(());
    }
    match find(db, run).await? {
        Some(_) => Err(StoreError::LeaseLost { run: run.clone() }.into()),
        None => Err(unknown(run).into()),
    }
}

/// Puts a run back that was set aside. Returns whether it was.
pub(crate) async fn retry(
    db: &Database,
    run: &RunId,
    attempt: u32,
) -> Result<bool, OperationError> {
    let known = find(db, run).await?.and_then(|known| known.summary);
    let mut known = known.ok_or_else(|| unknown(run))?;
    if known.set_aside.take().is_none() {
        // If an earlier attempt began, the run was set aside then.
        return Ok(attempt > 0);
    }
    // An answer may be stored at this moment.
    let asked = asked(&known.status);
    known.is_answered = false;
    let sql = db.sql(format!(
        "UPDATE cot.runs SET set_aside = NULL, set_aside_at = NULL, crashes = 0, due = CASE \
             WHEN cancel_at IS NOT NULL THEN LEAST(cancel_at, {SERVER_NOW}) \
             WHEN answer_key = $3 OR status IN ('queued', 'running') THEN LEAST(updated, {SERVER_NOW}) \
             ELSE $4 END \
         WHERE run = $1 AND entries = $2 AND set_aside_at IS NOT NULL",
    ));
    let query = sqlx::query(&sql).bind(run.as_str()).bind(signed(known.entries));
    let query = query.bind(asked).bind(known.due_at().map(millis));
    match query.execute(&db.pool).await?.rows_affected() {
        0 => Err(OperationError::Outdated),
        _ => Ok(true),
    }
}
