//! Appends of several runs in one statement.
//!
//! While a statement is under way, further appends wait together for the next one. So many runs share the cost of a
//! statement and of its commit, and a run that is alone waits for none. Each append succeeds or fails alone.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use sqlx::{PgExecutor, Row as _};
use tokio::sync::{Semaphore, oneshot};

use crate::{
    append::{
        change::{Change, Effect},
        entries::{self, EntryColumns},
        progress::{PROGRESS, ProgressColumns, arrays, assign, progress_arrays},
    },
    database::Database,
    error::{OperationError, Trouble},
    runs::due::SERVER_NOW,
    spending,
};

/// The limit on appends in a statement.
const MAX_CHANGES: usize = 64;

/// How many statements are under way at once.
pub(crate) const SLOTS: u32 = 2;

/// The appends that wait.
#[derive(Debug)]
pub(crate) struct Batches {
    /// Connections of its own, as many as there are statements at once: Postgres keeps the plan of the statement for each
    /// connection, and making it takes longer than the statement.
    db: Database,
    waiting: Mutex<Vec<Waiting>>,
    slots: Semaphore,
}

#[derive(Debug)]
struct Waiting {
    change: Change,
    done: oneshot::Sender<Result<bool, OperationError>>,
}

impl Batches {
    pub(crate) fn new(db: Database) -> Self {
        Self { db, waiting: Mutex::default(), slots: Semaphore::new(SLOTS as usize) }
    }

    /// Writes a change, with those of other runs. Returns whether the lease is held and the journal has its length from
    /// before; otherwise nothing is written.
    pub(crate) async fn write(&self, own: i64, change: Change) -> Result<bool, OperationError> {
        let (done, mut written) = oneshot::channel();
        self.lock().push(Waiting { change, done });
        tokio::select! {
            biased;
            written = &mut written => return written.unwrap_or(Err(OperationError::Outdated)),
            slot = self.slots.acquire() => {
                let batch = self.take();
                flush(&self.db, own, batch).await;
                drop(slot);
            }
        }
        // The task that has taken it may be gone: then it is tried again.
        written.await.unwrap_or(Err(OperationError::Outdated))
    }

    /// Takes changes of different runs: a run has two only if the caller of the first is gone.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.lock();
        let mut ids = HashSet::new();
        let mut is_taken =
            |Waiting { change, .. }: &mut Waiting| ids.len() < MAX_CHANGES && ids.insert(change.id);
        waiting.extract_if(.., &mut is_taken).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes changes together; each alone if that fails for a reason that may be one of them.
async fn flush(db: &Database, own: i64, batch: Vec<Waiting>) {
    if batch.is_empty() {
        return;
    }
    let changes: Vec<&Change> = batch.iter().map(|waiting| &waiting.change).collect();
    let written = execute(db, &db.pool, own, &changes).await;
    let is_alone = batch.len() == 1;
    for Waiting { change, done } in batch {
        let written = match &written {
            Ok(ids) => Ok(ids.contains(&change.id)),
            Err(error) if is_alone || error.trouble() != Trouble::Lasting => Err(error.shared()),
            Err(_) => {
                let alone = execute(db, &db.pool, own, &[&change]).await;
                alone.map(|ids| ids.contains(&change.id))
            }
        };
        // The caller may be gone.
        let _ = done.send(written);
    }
}

/// Writes changes of different runs. Returns the ids of the runs that were written.
pub(crate) async fn execute(
    db: &Database,
    connection: impl PgExecutor<'_>,
    own: i64,
    changes: &[&Change],
) -> Result<Vec<i64>, OperationError> {
    let sql = db.sql(statement());
    let (mut progress, mut entries) = (ProgressColumns::default(), EntryColumns::default());
    for change in changes {
        progress.push(&change.summary, change.hash)?;
        entries.extend(change.id, &change.entries);
    }
    let each = |value: fn(&Change) -> i64| changes.iter().map(|change| value(change)).collect();
    let [ids, epochs, before]: [Vec<i64>; 3] =
        [each(|change| change.id), each(|change| change.epoch), each(|change| change.before)];
    let effects = || changes.iter().map(|change| &change.effect);
    let spent = changes.iter().flat_map(|change| change.spent.iter().cloned());
    let blobs =
        || changes.iter().flat_map(|change| change.blobs.iter().map(move |blob| (change.id, blob)));
    let query = progress
        .bind(sqlx::query(&sql))
        .bind(ids)
        .bind(epochs)
        .bind(before)
        .bind(effects().map(|effect: &Effect| effect.asked.as_deref()).collect::<Vec<_>>())
        .bind(effects().map(|effect| &*effect.taken).collect::<Vec<_>>())
        .bind(effects().map(|effect| effect.ends_cancel).collect::<Vec<_>>())
        .bind(effects().map(|effect| effect.due).collect::<Vec<_>>())
        .bind(own);
    let query = entries.bind(query);
    let query = query
        .bind(Value::from_iter(spent).to_string())
        .bind(blobs().map(|(run, _)| run).collect::<Vec<_>>())
        .bind(blobs().map(|(_, (digest, _))| digest.as_slice()).collect::<Vec<_>>())
        .bind(blobs().map(|(_, (_, bytes))| bytes.as_slice()).collect::<Vec<_>>());
    let rows = query.fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

fn statement() -> String {
    format!(
        "WITH new AS (
            SELECT * FROM UNNEST({values}, {effects})
                AS new({PROGRESS}, id, epoch, before, asked, taken, ends_cancel, new_due)
        ), run AS (
            UPDATE cot.runs r SET {progress},
                due = CASE
                    WHEN new.is_ended THEN NULL
                    WHEN r.cancel_at IS NOT NULL AND NOT new.ends_cancel THEN LEAST(r.cancel_at, {SERVER_NOW})
                    WHEN r.answer_key = new.asked AND NOT r.answer_key = ANY(string_to_array(new.taken, E'\\n'))
                        THEN LEAST(new.updated, {SERVER_NOW})
                    WHEN new.status = 'running' AND r.status = 'running' AND r.due IS NOT NULL THEN r.due
                    WHEN new.status = 'running' THEN LEAST(new.new_due, {SERVER_NOW})
                    ELSE new.new_due END,
                answer = CASE WHEN r.answer_key = ANY(string_to_array(new.taken, E'\\n')) THEN NULL ELSE r.answer END,
                answer_key = CASE WHEN r.answer_key = ANY(string_to_array(new.taken, E'\\n')) THEN NULL
                    ELSE r.answer_key END,
                cancel_at = CASE WHEN new.ends_cancel THEN NULL ELSE r.cancel_at END,
                cancel_reason = CASE WHEN new.ends_cancel THEN NULL ELSE r.cancel_reason END,
                set_aside = NULL, set_aside_at = NULL
            FROM new
            WHERE r.id = new.id AND r.epoch = new.epoch AND r.owner = $30 AND r.entries = new.before RETURNING r.id
        ), {added}, spent AS ({spent}), blob AS (
            INSERT INTO cot.blobs SELECT DISTINCT ON (new.digest) new.digest, new.bytes
            FROM UNNEST({blobs}) AS new(run, digest, bytes)
            WHERE new.run IN (SELECT id FROM run) ORDER BY new.digest ON CONFLICT DO NOTHING
        ), used AS (
            INSERT INTO cot.blob_uses SELECT new.run, new.digest
            FROM UNNEST({uses}) AS new(run, digest)
            WHERE new.run IN (SELECT id FROM run) ON CONFLICT DO NOTHING
        ) SELECT id FROM run",
        values = progress_arrays(),
        effects = arrays("bigint bigint bigint text text boolean bigint", 23),
        blobs = arrays("bigint bytea bytea", 49),
        uses = arrays("bigint bytea", 49),
        progress = assign("new"),
        added = entries::insert(31),
        spent = spending::insert("$48"),
    )
}
