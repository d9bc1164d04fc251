//! How a run is written into a journal, and read back.

use cot_model::Usage;
use serde_json::value::RawValue;

use crate::{
    delta::delta::Delta,
    error::StoreError,
    record::{Begun, Entry, EventRecord, Progress, Record},
    run_id::RunId,
    status::Status,
    store::Store,
};

/// What a journal holds of a run so far, to write no more than what is new.
#[derive(Debug)]
pub struct Written {
    snapshot: String,
    since_whole: usize,
}

impl Written {
    /// A journal whose last snapshot is this one, and which holds so many bytes of changes since the last
    /// that is whole.
    pub const fn new(snapshot: String, since_whole: usize) -> Self {
        Self { snapshot, since_whole }
    }

    /// What to write of the next snapshot, given as JSON. From then on it counts as written, so whoever
    /// fails to write it can't use this any more.
    ///
    /// What has changed is written until all changes together are as long as the whole: so a journal is at
    /// most twice as long as the changes alone, and read from a whole snapshot and about as much again.
    pub fn progress(&mut self, snapshot: String) -> Progress {
        let delta = Delta::between(&self.snapshot, &snapshot);
        let since_whole = self.since_whole.saturating_add(delta.bytes());
        let is_due = since_whole >= snapshot.len();
        self.snapshot = snapshot;
        if is_due && let Ok(whole) = RawValue::from_string(self.snapshot.clone()) {
            self.since_whole = 0;
            return Progress::Whole(whole);
        }
        self.since_whole = since_whole;
        Progress::Changed(delta)
    }
}

/// A run as a journal tells it.
#[derive(Debug)]
pub struct Recovered {
    /// The name of its process.
    pub(crate) process: String,
    /// The run as it stood at the last step, as the JSON of a [`Snapshot`](cot_engine::Snapshot).
    pub snapshot: String,
    /// How long the changes since the last whole snapshot are, in bytes: what [`Written::new`] wants to know.
    pub since_whole: usize,
    /// Where it stood.
    pub status: Status,
    /// How many steps it had made.
    pub(crate) steps: u64,
    /// What its calls had consumed.
    pub(crate) usage: Usage,
    /// What has happened since the last step, and has to be acted on yet.
    pub events: Vec<EventRecord>,
    /// The number that the next entry gets.
    pub next: u64,
}

/// How many entries are read at once.
const PAGE: usize = 128;

impl Recovered {
    /// Reads a run as it is, or as it stood after so many steps; `None` for a run that does not exist.
    ///
    /// A run that has not come so far yet is read as it is, but for the events since its last step.
    pub async fn load(
        store: &dyn Store,
        run: &RunId,
        until: Option<u64>,
    ) -> Result<Option<Self>, StoreError> {
        let Some(first) = read_at(store, run, 0).await? else { return Ok(None) };
        let Record::Begun(begun) = first.record else {
            return Err(corrupt(run, 0, "the first entry does not say how the run began"));
        };
        let mut recovered = Self::begun(begun);
        let mut from = 1;
        if let Some(whole) = last_whole(store, run, until).await? {
            recovered.take(run, whole.number, whole.record)?;
            from = whole.number + 1;
        }
        recovered.read_on(store, run, from, until).await?;
        Ok(Some(recovered))
    }

    fn begun(begun: Begun) -> Self {
        let steps = begun.origin.as_ref().map_or(0, |origin| origin.steps);
        Self {
            process: begun.process,
            snapshot: String::from(Box::<str>::from(begun.snapshot)),
            since_whole: 0,
            status: begun.status,
            steps,
            usage: Usage::default(),
            events: Vec::new(),
            next: 1,
        }
    }

    /// Takes in what comes after an entry that holds the whole run.
    async fn read_on(
        &mut self,
        store: &dyn Store,
        run: &RunId,
        mut from: u64,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        loop {
            let page = page(store, run, from).await?;
            let count = page.len();
            for entry in page {
                if is_after(&entry.record, until) {
                    self.events.clear();
                    return Ok(());
                }
                if entry.number != from {
                    return Err(corrupt(run, from, "it is missing"));
                }
                self.take(run, entry.number, entry.record)?;
                from += 1;
            }
            if count == 0 {
                break;
            }
        }
        if until.is_some() {
            self.events.clear();
        }
        Ok(())
    }

    fn take(&mut self, run: &RunId, number: u64, record: Record) -> Result<(), StoreError> {
        self.next = number + 1;
        let step = match record {
            Record::Begun(_) => return Err(corrupt(run, number, "a run begins only once")),
            Record::Event(event) => {
                self.events.push(event);
                return Ok(());
            }
            Record::Step(step) => step,
        };
        match step.progress {
            Progress::Whole(whole) => {
                self.snapshot = String::from(Box::<str>::from(whole));
                self.since_whole = 0;
            }
            Progress::Changed(delta) => {
                self.snapshot =
                    delta.apply(&self.snapshot).map_err(|bad| corrupt(run, number, bad))?;
                self.since_whole = self.since_whole.saturating_add(delta.bytes());
            }
        }
        (self.status, self.steps, self.usage) = (step.status, step.steps, step.usage);
        self.events.clear();
        Ok(())
    }
}

/// The last step that is written as a whole, and not after so many steps.
async fn last_whole(
    store: &dyn Store,
    run: &RunId,
    until: Option<u64>,
) -> Result<Option<Entry>, StoreError> {
    let mut before = u64::MAX;
    while let Some(number) = store.last_whole(run, before).await?.filter(|number| *number > 0) {
        let Some(entry) = read_at(store, run, number).await? else {
            return Err(corrupt(run, number, "it is missing"));
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

/// The next entries. One that does not read is no error before it is reached.
pub(crate) async fn page(
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

pub(crate) fn corrupt(
    run: &RunId,
    entry: u64,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> StoreError {
    StoreError::Corrupt { run: run.clone(), entry, source: source.into() }
}
