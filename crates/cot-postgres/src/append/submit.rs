//! Submission of runs.

use cot_store::{
    EntryHash, Record, RunId, RunSummary, StoreError,
    internal::{millis, row::Row},
};

use crate::{
    append::{
        entries::{self, EntryColumns},
        progress::{PROGRESS, ProgressColumns, assign, progress_arrays},
    },
    database::Database,
    driving::{lease::IS_FREE, owners::Owners},
    error::{OperationError, unwritable},
    runs::{due::SERVER_NOW, table},
    waiting::listener::DUE,
};

const SUBMITTING: &str = "submitting a run";

/// Stores a run that has not begun, and wakes the workers.
pub(crate) async fn submit(
    db: &Database,
    owners: &Owners,
    run: &RunId,
    record: &Record,
) -> Result<(), StoreError> {
    let row = Row::new(record);
    let row = row.map_err(|error| unwritable(SUBMITTING, error).into_error(SUBMITTING))?;
    let hash = row.hash.after(None, &[]);
    let summary = RunSummary::from_record(run, record)?;
    db.attempt(SUBMITTING, |attempt| {
        let (row, summary) = (&row, &summary);
        async move {
            if insert(db, owners, summary, (record, row, hash)).await? {
                return Ok(());
            }
            // An earlier attempt may have been done, though its end was not heard of.
            let known = table::find(db, run).await?;
            let is_done = attempt > 0 && known.is_some_and(|known| known.hash == Some(hash));
            if is_done { Ok(()) } else { Err(StoreError::RunExists { run: run.clone() }.into()) }
        }
    })
    .await
}

/// Inserts a run, unless there is one of this name or a driver is about to begin one.
async fn insert(
    db: &Database,
    owners: &Owners,
    summary: &RunSummary,
    (record, row, hash): (&Record, &Row, EntryHash),
) -> Result<bool, OperationError> {
    // The values $2 and $3 of the condition are others here.
    let is_free = IS_FREE.replace("$2", "$24").replace("$3", "$25");
    let sql = db.sql(format!(
        "WITH run AS (
            INSERT INTO cot.runs AS r ({PROGRESS}, run, due)
            SELECT new.*, $23, LEAST($26::bigint, {SERVER_NOW}) FROM UNNEST({values}) AS new
            ON CONFLICT (run) DO UPDATE SET {progress}, due = excluded.due, owner = NULL
            WHERE r.status IS NULL AND {is_free} RETURNING id
        ), {added} SELECT id, pg_notify($27, $28) FROM run",
        values = progress_arrays(),
        progress = assign("excluded"),
        added = entries::insert_for_one(29),
    ));
    let mut columns = EntryColumns::default();
    columns.push(0, record, row, (hash, None))?;
    let query = ProgressColumns::from_run(summary, hash)?
        .bind(sqlx::query(&sql))
        .bind(summary.run.as_str())
        .bind(owners.own_id())
        .bind(owners.is_free(&summary.run))
        .bind(summary.due_at().map(millis))
        .bind(db.channel())
        .bind(DUE);
    Ok(columns.bind_for_one(query).fetch_optional(&db.pool).await?.is_some())
}
