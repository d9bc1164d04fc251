//! Appending to a journal: the entries, the row of the run, what was spent, and the fencing token in one statement.

use std::{iter, sync::Mutex, sync::PoisonError};

use cot_engine::Event;
use cot_store::{
    EntryHash, EventRecord, Lease, Record, RunId, RunSummary, Status, StoreError,
    internal::{
        StoredPrompt, millis,
        row::{self, Row},
        signed,
    },
};

use crate::{
    database::Database,
    driving::{
        driven::Driven,
        lease::{self, IS_FREE},
        owners::{Held, Owners},
    },
    entry_columns::{self, EntryColumns},
    error::{OperationError, unwritable},
    prompt::{self, FixedTexts},
    runs::table::{self, PROGRESS, PROGRESS_VALUES, bind_progress},
    spending,
};

const APPENDING: &str = "appending to a journal";
const SUBMITTING: &str = "submitting a run";

/// Appends records to the journal of a run.
pub(crate) async fn append(
    db: &Database,
    owners: &Owners,
    fixed: &FixedTexts,
    lease: &Lease,
    records: &[Record],
) -> Result<(), StoreError> {
    let held = owners.held(lease)?;
    let rows = records.iter().map(Row::new).collect::<Result<Vec<_>, _>>();
    let rows = rows.map_err(|error| unwritable(APPENDING, error).into_error(APPENDING))?;
    if records.is_empty() {
        return Ok(());
    }
    let appending = Appending {
        db,
        own: owners.own_id(),
        fixed,
        lease,
        records,
        rows,
        tried: Mutex::default(),
    };
    db.attempt(APPENDING, |_| appending.attempt(&held)).await
}

/// An append, which may be attempted several times.
struct Appending<'a> {
    db: &'a Database,
    own: i64,
    fixed: &'a FixedTexts,
    lease: &'a Lease,
    records: &'a [Record],
    rows: Vec<Row>,
    /// The hash of the last entry, as the last attempt has sent it.
    tried: Mutex<Option<EntryHash>>,
}

impl Appending<'_> {
    async fn attempt(&self, held: &Held) -> Result<(), OperationError> {
        let mut driven = held.driven.lock().await;
        // What fails leaves nothing known, so that the next attempt reads what the database has.
        let known = match driven.take() {
            Some(known) => known,
            None => {
                let known = lease::load(self.db, self.lease.run(), self.lease.epoch()).await?;
                let tried = *self.tried.lock().unwrap_or_else(PoisonError::into_inner);
                if known.hash.is_some() && known.hash == tried {
                    // An earlier attempt was done, though its end was not heard of.
                    *driven = Some(Driven::new(known));
                    return Ok(());
                }
                Driven::new(known)
            }
        };
        *driven = Some(self.write(known).await?);
        Ok(())
    }

    /// Writes the records after the known end of the journal.
    async fn write(&self, mut run: Driven) -> Result<Driven, OperationError> {
        let before = run.summary.as_ref().map_or(0, |summary| summary.entries);
        let entries = entries_after(
            self.db,
            self.fixed,
            self.lease.run(),
            &mut run,
            (self.records, &self.rows),
        )
        .await?;
        let (Some(summary), Some(hash)) = (&run.summary, run.hash) else { return Ok(run) };
        *self.tried.lock().unwrap_or_else(PoisonError::into_inner) = Some(hash);
        let effect = Effect::of(self.records, summary);
        let sql = self.db.sql(format!(
            "WITH run AS (
                UPDATE cot.runs SET ({PROGRESS}) = ROW ({PROGRESS_VALUES}),
                    due = CASE
                        WHEN $3 THEN NULL
                        WHEN cancel_at IS NOT NULL AND NOT $29 THEN cancel_at
                        WHEN answer_key = $27 AND NOT answer_key = ANY($28) THEN $15
                        WHEN $2 = 'running' AND status = 'running' AND due IS NOT NULL THEN due
                        ELSE $30 END,
                    answer = CASE WHEN answer_key = ANY($28) THEN NULL ELSE answer END,
                    answer_key = CASE WHEN answer_key = ANY($28) THEN NULL ELSE answer_key END,
                    cancel_at = CASE WHEN $29 THEN NULL ELSE cancel_at END,
                    cancel_reason = CASE WHEN $29 THEN NULL ELSE cancel_reason END,
                    set_aside = NULL, set_aside_at = NULL
                WHERE id = $23 AND epoch = $24 AND owner = $25 AND entries = $26 RETURNING id
            ), {added}, spent AS ({spent}), blob AS (
                INSERT INTO cot.blobs SELECT new.* FROM run, UNNEST($47::bytea[], $48::bytea[]) AS new
                ON CONFLICT DO NOTHING
            ), used AS (
                INSERT INTO cot.blob_uses SELECT run.id, used FROM run, UNNEST($47::bytea[]) AS used
                ON CONFLICT DO NOTHING
            ) SELECT id FROM run",
            added = entry_columns::insert(31),
            spent = spending::insert("$46"),
        ));
        let query = bind_progress(sqlx::query(&sql), summary, hash)?
            .bind(run.id)
            .bind(self.lease.epoch().cast_signed())
            .bind(self.own)
            .bind(signed(before))
            .bind(effect.asked)
            .bind(effect.taken)
            .bind(effect.ends_cancel)
            .bind(effect.due);
        let query = entries.bind(query);
        let (digests, bytes) = blobs(self.records);
        let spent = spending::as_json(&summary.process, self.records);
        let query = query.bind(spent).bind(digests).bind(bytes);
        match query.fetch_optional(&self.db.pool).await? {
            Some(_) => Ok(run),
            None => Err(OperationError::Outdated),
        }
    }
}

/// Converts records to entries after the end of a run, and the run to what it is then.
async fn entries_after<'a>(
    db: &Database,
    fixed: &FixedTexts,
    name: &RunId,
    run: &mut Driven,
    (records, rows): (&'a [Record], &'a [Row]),
) -> Result<EntryColumns<'a>, OperationError> {
    let mut entries = EntryColumns::default();
    for (record, row) in iter::zip(records, rows) {
        let number = match &mut run.summary {
            Some(summary) => {
                let number = summary.entries;
                summary.apply(record)?;
                number
            }
            None => {
                run.summary = Some(RunSummary::from_record(name, record)?);
                0
            }
        };
        let prompt = match row::prompt(record) {
            Some(prompt) => {
                if run.texts.needs_last(prompt) {
                    prompt::load_last(db, &mut run.texts, run.id, number).await?;
                }
                let ids = fixed.ids(db, prompt).await?;
                let known = |segment: &_| FixedTexts::find(&ids, segment);
                Some(StoredPrompt::new(&mut run.texts, number, prompt, known)?)
            }
            None => None,
        };
        let texts = prompt.as_ref().map_or(&[][..], |prompt| &prompt.digests);
        let hash = row.hash.after(run.hash, texts);
        run.hash = Some(hash);
        entries.push(number, record, row, (hash, prompt))?;
    }
    Ok(entries)
}

/// What records do to a run beside its progress.
struct Effect {
    /// The key of the question that the run asks now.
    asked: Option<String>,
    /// The keys of the calls that were answered.
    taken: Vec<String>,
    /// Whether the request to cancel the run is taken.
    ends_cancel: bool,
    due: Option<i64>,
}

impl Effect {
    fn of(records: &[Record], summary: &RunSummary) -> Self {
        let is_cancellation = |record: &Record| {
            matches!(record, Record::Event(EventRecord { event: Event::Cancelled { .. }, .. }))
        };
        let ends_cancel =
            summary.status.is_ended() || records.iter().any(is_cancellation) || has_ended(records);
        let taken = records.iter().filter_map(row::asked).map(|asked| asked.key.to_string());
        Self {
            asked: table::asked(&summary.status),
            taken: taken.collect(),
            ends_cancel,
            due: summary.due_at().map(millis),
        }
    }
}

fn has_ended(records: &[Record]) -> bool {
    records.iter().any(|record| record.status().is_some_and(Status::is_ended))
}

/// Returns the digests and the bytes of the blobs of records, each once.
fn blobs(records: &[Record]) -> (Vec<Vec<u8>>, Vec<&[u8]>) {
    let mut blobs = std::collections::BTreeMap::new();
    for blob in records.iter().filter_map(Record::blobs).flat_map(|blobs| blobs.iter()) {
        blobs.insert(blob.digest(), blob);
    }
    blobs.into_values().map(|blob| (blob.digest().as_bytes().to_vec(), blob.bytes())).unzip()
}

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
            INSERT INTO cot.runs AS r ({PROGRESS}, run, due) VALUES ({PROGRESS_VALUES}, $23, $26)
            ON CONFLICT (run) DO UPDATE SET ({PROGRESS}, due, owner) = ROW ({PROGRESS_VALUES}, $26, NULL)
            WHERE r.status IS NULL AND {is_free} RETURNING id
        ), {added} SELECT id, pg_notify($27, $28) FROM run",
        added = entry_columns::insert(29),
    ));
    let mut entries = EntryColumns::default();
    entries.push(0, record, row, (hash, None))?;
    let query = bind_progress(sqlx::query(&sql), summary, hash)?
        .bind(summary.run.as_str())
        .bind(owners.own_id())
        .bind(owners.is_free(&summary.run))
        .bind(summary.due_at().map(millis))
        .bind(db.channel())
        .bind("due");
    Ok(entries.bind(query).fetch_optional(&db.pool).await?.is_some())
}
