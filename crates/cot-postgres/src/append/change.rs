//! What an append changes in the tables.

use std::collections::BTreeMap;

use cot_engine::Event;
use cot_store::{
    EntryHash, EventRecord, Record, RunSummary, Status,
    internal::{millis, row},
};
use serde_json::Value;

use crate::{append::entries::EntryColumns, runs::table, spending};

/// What an append changes in the tables.
#[derive(Debug)]
pub(crate) struct Change {
    /// The id of the run.
    pub(crate) id: i64,
    /// The token of the lease.
    pub(crate) epoch: i64,
    /// The number of entries before.
    pub(crate) before: i64,
    /// The run afterwards.
    pub(crate) summary: RunSummary,
    pub(crate) hash: EntryHash,
    pub(crate) effect: Effect,
    pub(crate) entries: EntryColumns,
    /// What was spent, as rows.
    pub(crate) spent: Vec<Value>,
    /// The digests and the bytes of the blobs.
    pub(crate) blobs: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What records do to a run beside its progress.
#[derive(Debug)]
pub(crate) struct Effect {
    /// The key of the question that the run asks now.
    pub(crate) asked: Option<String>,
    /// The keys of the calls that were answered, each on a line.
    pub(crate) taken: String,
    /// Whether the request to cancel the run is taken.
    pub(crate) ends_cancel: bool,
    pub(crate) due: Option<i64>,
}

impl Change {
    /// Adds what the records say beside their entries.
    pub(crate) fn new(
        (id, epoch, before): (i64, i64, i64),
        (summary, hash): (RunSummary, EntryHash),
        records: &[Record],
        entries: EntryColumns,
    ) -> Self {
        let effect = Effect::new(records, &summary);
        let spent = spending::rows(id, &summary.process, records);
        Self { id, epoch, before, summary, hash, effect, entries, spent, blobs: blobs(records) }
    }
}

impl Effect {
    fn new(records: &[Record], summary: &RunSummary) -> Self {
        let ends = |record: &Record| match record {
            Record::Event(EventRecord { event: Event::Cancelled { .. }, .. }) => true,
            record => record.status().is_some_and(Status::is_ended),
        };
        let ends_cancel = summary.status.is_ended() || records.iter().any(ends);
        let taken = records.iter().filter_map(row::asked).map(|asked| asked.key.to_string());
        Self {
            asked: table::asked(&summary.status),
            taken: taken.collect::<Vec<_>>().join("\n"),
            ends_cancel,
            due: summary.due_at().map(millis),
        }
    }
}

/// Returns the digests and the bytes of the blobs of records, each once.
fn blobs(records: &[Record]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let blobs = records.iter().filter_map(Record::blobs).flat_map(|blobs| blobs.iter());
    let blobs: BTreeMap<_, _> =
        blobs.map(|blob| (blob.digest().as_bytes().to_vec(), blob.bytes().to_vec())).collect();
    blobs.into_iter().collect()
}
