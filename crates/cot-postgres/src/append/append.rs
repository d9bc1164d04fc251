//! One append, which may be attempted several times.

use std::{
    iter,
    sync::{Mutex, PoisonError},
};

use cot_store::{
    EntryHash, Lease, Record, RunId, RunSummary, StoreError,
    internal::{
        StoredPrompt,
        row::{self, Row},
        signed,
    },
};

use crate::{
    append::{batch::Batches, change::Change, entries::EntryColumns},
    database::Database,
    driving::{
        driven::Driven,
        lease,
        owners::{Held, Owners},
    },
    error::{OperationError, unwritable},
    prompt::{self, FixedTexts},
};

const APPENDING: &str = "appending to a journal";

/// Appends records to the journal of a run.
pub(crate) async fn append(
    db: &Database,
    owners: &Owners,
    (batches, fixed): (&Batches, &FixedTexts),
    lease: &Lease,
    records: &[Record],
) -> Result<(), StoreError> {
    let held = owners.held(lease)?;
    let rows = rows_of(records)?;
    if records.is_empty() {
        return Ok(());
    }
    let appending = Appending {
        db,
        own: owners.own_id(),
        batches,
        fixed,
        lease,
        records,
        rows,
        tried: Mutex::default(),
    };
    db.attempt(APPENDING, |_| appending.attempt(&held)).await
}

/// Returns the rows of records.
pub(crate) fn rows_of(records: &[Record]) -> Result<Vec<Row>, StoreError> {
    let rows = records.iter().map(Row::new).collect::<Result<_, _>>();
    rows.map_err(|error| unwritable(APPENDING, error).into_error(APPENDING))
}

/// An append, which may be attempted several times.
struct Appending<'a> {
    db: &'a Database,
    own: i64,
    batches: &'a Batches,
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
        let what = (self.records, &*self.rows);
        let change = change_of(self.db, self.fixed, self.lease, &mut run, what).await?;
        let Some(change) = change else { return Ok(run) };
        *self.tried.lock().unwrap_or_else(PoisonError::into_inner) = Some(change.hash);
        match self.batches.write(self.own, change).await? {
            true => Ok(run),
            false => Err(OperationError::Outdated),
        }
    }
}

/// Returns what records change, and converts the run to what it is then.
pub(crate) async fn change_of(
    db: &Database,
    fixed: &FixedTexts,
    lease: &Lease,
    run: &mut Driven,
    (records, rows): (&[Record], &[Row]),
) -> Result<Option<Change>, OperationError> {
    let before = run.summary.as_ref().map_or(0, |summary| summary.entries);
    let entries = entries_after(db, fixed, (lease.run(), run), (records, rows)).await?;
    let (Some(summary), Some(hash)) = (&run.summary, run.hash) else { return Ok(None) };
    let place = (run.id, lease.epoch().cast_signed(), signed(before));
    Ok(Some(Change::new(place, (summary.clone(), hash), records, entries)))
}

/// Converts records to entries after the end of a run, and the run to what it is then.
async fn entries_after(
    db: &Database,
    fixed: &FixedTexts,
    (name, run): (&RunId, &mut Driven),
    (records, rows): (&[Record], &[Row]),
) -> Result<EntryColumns, OperationError> {
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
