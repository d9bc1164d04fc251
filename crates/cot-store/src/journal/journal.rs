//! Encodes the snapshots of a journal, and recovers a run from its journal.

use std::collections::BTreeSet;

use cot_engine::{Event, RunEvent};
use cot_model::{Blob, BlobSet, Digest, Usage};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    delta::delta::Delta,
    error::StoreError,
    record::{Entry, EventRecord, Record, RunStarted, StepSnapshot, Timer},
    run_id::RunId,
    status::Status,
    store::Store,
};

/// Encodes the successive snapshots of a run for its journal: as deltas, or in full when enough has changed.
#[derive(Debug)]
pub struct SnapshotEncoder {
    snapshot: String,
    since_full: usize,
    /// The blobs in the records so far.
    blobs: BTreeSet<Digest>,
}

impl SnapshotEncoder {
    /// Continues a journal whose last snapshot is `snapshot`, with so many bytes of deltas since the last
    /// full snapshot.
    pub const fn new(snapshot: String, since_full: usize) -> Self {
        Self { snapshot, since_full, blobs: BTreeSet::new() }
    }

    /// Sets the blobs that the journal contains already.
    pub fn with_blobs(mut self, blobs: &BlobSet) -> Self {
        self.blobs = blobs.iter().map(Blob::digest).collect();
        self
    }

    /// Returns the blobs that no record contains yet. The next call assumes that they are recorded.
    pub fn filter_new_blobs(&mut self, blobs: &BlobSet) -> BlobSet {
        blobs.iter().filter(|blob| self.blobs.insert(blob.digest())).cloned().collect()
    }

    /// Encodes the next snapshot, given as JSON, for the record of a step with these events. The next call computes
    /// the delta to this snapshot, so the encoder must be discarded if the result can't be written.
    ///
    /// Snapshots are encoded as deltas until these together are as long as the full snapshot. So a journal
    /// is at most twice as long as its deltas, and recovery reads one full snapshot and about as many bytes
    /// of deltas.
    pub fn encode(&mut self, snapshot: String, notes: &[RunEvent]) -> StepSnapshot {
        let old = self.snapshot.len();
        add_texts(&mut self.snapshot, notes);
        let delta = Delta::with_known(&self.snapshot, old, &snapshot);
        let since_full = self.since_full.saturating_add(delta.json_len());
        let is_due = since_full >= snapshot.len();
        self.snapshot = snapshot;
        if is_due && let Ok(whole) = RawValue::from_string(self.snapshot.clone()) {
            self.since_full = 0;
            return StepSnapshot::Full(whole);
        }
        self.since_full = since_full;
        StepSnapshot::Changed(delta)
    }
}

/// Adds the texts of events that a snapshot is likely to contain, too, as it contains them. Changing what is added
/// makes stored deltas unreadable.
fn add_texts(known: &mut String, notes: &[RunEvent]) {
    for note in notes {
        match note.innermost() {
            RunEvent::Committed { output, .. } | RunEvent::ItemDone { output, .. } => {
                known.push_str(output.json().map_or("", RawValue::get));
            }
            RunEvent::ToolCalled { arguments: text, .. }
            | RunEvent::ToolReturned { result: Ok(text), .. } => {
                known.push_str(&Value::from(text.as_str()).to_string());
            }
            _ => {}
        }
    }
}

/// A run recovered from its journal.
#[derive(Debug)]
pub struct RecoveredRun {
    /// The name of the process.
    pub(crate) process: String,
    /// The snapshot of the last step, as the JSON of a [`Snapshot`](cot_engine::Snapshot).
    pub snapshot: String,
    /// The blobs that the snapshot refers to.
    pub blobs: BlobSet,
    /// The number of bytes of the deltas since the last full snapshot, for [`SnapshotEncoder::new`].
    pub since_full: usize,
    /// The status as of the last step.
    pub status: Status,
    /// The timers that ran at the last step, unless the status is that of the only one.
    pub timers: Vec<Timer>,
    /// The number of steps.
    pub(crate) steps: u64,
    /// The total usage of its calls.
    pub(crate) usage: Usage,
    /// The events since the last step, which the machine has not processed.
    pub events: Vec<EventRecord>,
    /// The number of the next entry.
    pub next: u64,
}

/// The field of a snapshot with the digests of its blobs.
#[derive(Default, Deserialize)]
struct BlobsField {
    #[serde(default)]
    blobs: BlobSet,
}

/// The number of entries that are read at once.
const PAGE: usize = 128;

impl RecoveredRun {
    /// Recovers a run as of its last entry, or as of step `until`; `None` for a run that does not exist or has
    /// not begun.
    ///
    /// With `until`, the events are those between the step and the next one. If the run has not reached step `until`,
    /// it is recovered as of its last step.
    pub async fn load(
        store: &dyn Store,
        run: &RunId,
        until: Option<u64>,
    ) -> Result<Option<Self>, StoreError> {
        let mut recovered = Self::load_without_blobs(store, run, until).await?;
        if let Some(recovered) = &mut recovered {
            recovered.load_blobs(store, run).await?;
        }
        Ok(recovered)
    }

    /// Like [`load`](Self::load), without the bytes of images and documents.
    pub async fn load_without_blobs(
        store: &dyn Store,
        run: &RunId,
        until: Option<u64>,
    ) -> Result<Option<Self>, StoreError> {
        let Some(mut first) = read_at(store, run, 0).await? else { return Ok(None) };
        if matches!(first.record, Record::Submitted(_)) {
            let Some(begun) = read_at(store, run, 1).await? else { return Ok(None) };
            first = begun;
        }
        let Record::Begun(begun) = first.record else {
            let why = "the first entry does not say how the run began";
            return Err(corrupt_entry(run, first.number, why));
        };
        let mut from = first.number + 1;
        let mut recovered = Self::from_start(begun, from);
        if let Some(full) = last_full_step(store, run, from, until).await? {
            recovered.apply_record(run, full.number, full.record)?;
            from = full.number + 1;
        }
        recovered.apply_entries(store, run, from, until).await?;
        Ok(Some(recovered))
    }

    /// Returns the events since the last step that answer calls.
    pub fn answers(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| event.asked.is_some()).map(|event| &event.event)
    }

    /// Reads the blobs that the snapshot refers to.
    async fn load_blobs(&mut self, store: &dyn Store, run: &RunId) -> Result<(), StoreError> {
        // A snapshot that can't be parsed is reported when the run is resumed.
        let field: BlobsField = serde_json::from_str(&self.snapshot).unwrap_or_default();
        self.blobs = field.blobs;
        let missing: Vec<Digest> = self.blobs.missing().collect();
        if !missing.is_empty() {
            self.blobs.merge(store.blobs(run, &missing).await?);
        }
        Ok(())
    }

    fn from_start(begun: RunStarted, next: u64) -> Self {
        let steps = begun.origin.as_ref().map_or(0, |origin| origin.steps);
        Self {
            process: begun.process,
            snapshot: String::from(Box::<str>::from(begun.snapshot)),
            blobs: BlobSet::default(),
            since_full: 0,
            status: begun.status,
            timers: Vec::new(),
            steps,
            usage: Usage::default(),
            events: Vec::new(),
            next,
        }
    }

    /// Applies the entries after a full snapshot.
    async fn apply_entries(
        &mut self,
        store: &dyn Store,
        run: &RunId,
        mut from: u64,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        loop {
            let page = read_page(store, run, from).await?;
            let count = page.len();
            for entry in page {
                if is_after(&entry.record, until) {
                    return Ok(());
                }
                if entry.number != from {
                    return Err(corrupt_entry(run, from, "it is missing"));
                }
                self.apply_record(run, entry.number, entry.record)?;
                from += 1;
            }
            if count == 0 {
                break;
            }
        }
        Ok(())
    }

    fn apply_record(&mut self, run: &RunId, number: u64, record: Record) -> Result<(), StoreError> {
        self.next = number + 1;
        let step = match record {
            Record::Submitted(_) | Record::Begun(_) => {
                return Err(corrupt_entry(run, number, "a run begins only once"));
            }
            Record::Event(event) => {
                self.events.push(event);
                return Ok(());
            }
            Record::Step(step) => step,
        };
        match step.progress {
            StepSnapshot::Full(whole) => {
                self.snapshot = String::from(Box::<str>::from(whole));
                self.since_full = 0;
            }
            StepSnapshot::Changed(delta) => {
                add_texts(&mut self.snapshot, &step.notes);
                self.snapshot =
                    delta.apply(&self.snapshot).map_err(|bad| corrupt_entry(run, number, bad))?;
                self.since_full = self.since_full.saturating_add(delta.json_len());
            }
        }
        (self.status, self.steps, self.usage) = (step.status, step.steps, step.usage);
        self.timers = step.timers;
        self.events.clear();
        Ok(())
    }
}

/// Finds the last full snapshot of a step, from entry `from` on and not later than step `until`.
async fn last_full_step(
    store: &dyn Store,
    run: &RunId,
    from: u64,
    until: Option<u64>,
) -> Result<Option<Entry>, StoreError> {
    let mut before = u64::MAX;
    while let Some(number) =
        store.last_full_snapshot(run, before).await?.filter(|number| *number >= from)
    {
        let Some(entry) = read_at(store, run, number).await? else {
            return Err(corrupt_entry(run, number, "it is missing"));
        };
        if !is_after(&entry.record, until) {
            return Ok(Some(entry));
        }
        before = number - 1;
    }
    Ok(None)
}

fn is_after(record: &Record, until: Option<u64>) -> bool {
    matches!((record, until), (Record::Step(step), Some(until)) if step.steps > until)
}

async fn read_at(store: &dyn Store, run: &RunId, number: u64) -> Result<Option<Entry>, StoreError> {
    match store.entries(run, number, 1).await {
        Ok(entries) => Ok(entries.into_iter().next().filter(|entry| entry.number == number)),
        Err(StoreError::UnknownRun { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the next entries. A corrupt entry is an error only when it is the first one; entries before it are
/// returned.
pub(crate) async fn read_page(
    store: &dyn Store,
    run: &RunId,
    from: u64,
) -> Result<Vec<Entry>, StoreError> {
    match store.entries(run, from, PAGE).await {
        Err(StoreError::Corrupt { entry, .. }) if entry > from => {
            let readable = usize::try_from(entry - from).unwrap_or(PAGE);
            store.entries(run, from, readable).await
        }
        page => page,
    }
}

pub(crate) fn corrupt_entry(
    run: &RunId,
    entry: u64,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> StoreError {
    StoreError::Corrupt { run: run.clone(), entry, source: source.into() }
}
