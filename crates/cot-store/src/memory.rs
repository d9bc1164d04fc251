//! The store in memory.

use std::{
    collections::BTreeMap,
    fmt, iter,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use cot_engine::CallKey;
use cot_model::{BlobSet, BoxFuture, Digest};
use serde_json::Value;
use tokio::sync::Notify;

use crate::{
    due::{DueFilter, DueRun},
    error::StoreError,
    lease::Lease,
    record::{Entry, Record},
    run_id::RunId,
    status::Status,
    store::Store,
    submission::Submission,
    summary::{RunFilter, RunSummary, SetAside},
};

/// A store in memory, for tests and for runs that need not outlive their program. Clones share the runs.
///
/// ```
/// use cot_core::store::{MemoryStore, RunFilter, Store};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let store = MemoryStore::default();
/// assert!(store.runs(&RunFilter::default()).await?.is_empty());
/// # Ok::<(), cot_core::store::StoreError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct MemoryStore {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    slots: BTreeMap<RunId, RunSlot>,
    /// The number of the last lease or journal, so that each gets a unique number.
    counter: u64,
}

/// The data of one run. It may be leased, or waited for, before its journal exists.
#[derive(Default)]
struct RunSlot {
    journal: Option<MemoryJournal>,
    /// The epoch of the current lease.
    lease_epoch: Option<u64>,
    /// Notified when an answer is stored.
    answer_notify: Arc<Notify>,
}

struct MemoryJournal {
    /// The sequence number of the journal; later journals have larger numbers.
    number: u64,
    summary: RunSummary,
    records: Vec<Record>,
    /// The blobs of all records.
    blobs: BlobSet,
    answer: Option<(CallKey, Value)>,
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn acquire_lease(&self, run: &RunId) -> Result<Lease, StoreError> {
        let mut shared = self.lock();
        let epoch = shared.next_number();
        let slot = shared.slots.entry(run.clone()).or_default();
        if slot.lease_epoch.is_some() {
            return Err(leased_error(run));
        }
        slot.lease_epoch = Some(epoch);
        let guard = LeaseGuard { store: self.clone(), run: run.clone(), epoch };
        Ok(Lease::new(run.clone(), epoch, guard))
    }
}

impl Shared {
    fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn journal(&self, run: &RunId) -> Result<&MemoryJournal, StoreError> {
        let journal = self.slots.get(run).and_then(|slot| slot.journal.as_ref());
        journal.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
    }

    fn journal_mut(&mut self, run: &RunId) -> Result<&mut MemoryJournal, StoreError> {
        let journal = self.slots.get_mut(run).and_then(|slot| slot.journal.as_mut());
        journal.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
    }

    fn set_aside(&mut self, lease: &Lease, reason: SetAside) -> Result<(), StoreError> {
        let run = lease.run();
        if self.slots.get(run).is_none_or(|slot| slot.lease_epoch != Some(lease.epoch())) {
            return Err(StoreError::LeaseLost { run: run.clone() });
        }
        self.journal_mut(run)?.summary.set_aside = Some(reason);
        Ok(())
    }

    fn submit(&mut self, submission: Submission) -> Result<RunId, StoreError> {
        let number = self.next_number();
        let (run, record) = submission.into_record();
        let slot = self.slots.entry(run.clone()).or_default();
        // A driver that holds the lease is about to begin a run of this name.
        if slot.journal.is_some() || slot.lease_epoch.is_some() {
            return Err(StoreError::RunExists { run });
        }
        let summary = RunSummary::from_record(&run, &record)?;
        slot.journal = Some(MemoryJournal::new(number, summary, record));
        Ok(run)
    }

    fn append(&mut self, lease: &Lease, records: Vec<Record>) -> Result<(), StoreError> {
        let number = self.next_number();
        let slot = self.slots.get_mut(lease.run());
        let slot = slot.filter(|slot| slot.lease_epoch == Some(lease.epoch()));
        let Some(slot) = slot else {
            return Err(StoreError::LeaseLost { run: lease.run().clone() });
        };
        let mut records = records.into_iter().map(Record::with_rounded_times);
        if let Some(journal) = &mut slot.journal {
            return journal.append(records.collect());
        }
        if let Some(first) = records.next() {
            let summary = RunSummary::from_record(lease.run(), &first)?;
            let mut journal = MemoryJournal::new(number, summary, first);
            journal.append(records.collect())?;
            slot.journal = Some(journal);
        }
        Ok(())
    }
}

impl RunSlot {
    fn summary(&self) -> Option<RunSummary> {
        let summary = self.journal.as_ref()?.summary();
        Some(RunSummary { is_driven: self.lease_epoch.is_some(), ..summary })
    }

    /// Returns the run with the time since when it is due, if it is and a filter matches it.
    fn due(&self, filter: &DueFilter) -> Option<(SystemTime, DueRun)> {
        let journal = self.journal.as_ref().filter(|_| self.lease_epoch.is_none())?;
        let since = journal.summary().due_at().filter(|due| *due <= filter.now)?;
        let RunSummary { run, process, entries, .. } = &journal.summary;
        let run = DueRun::new(run.clone(), process.clone(), *entries, 0);
        (filter.processes.contains(process) && filter.matches(&run)).then_some((since, run))
    }
}

impl MemoryJournal {
    fn new(number: u64, summary: RunSummary, first: Record) -> Self {
        let blobs = first.blobs().cloned().unwrap_or_default();
        Self { number, summary, records: vec![first], blobs, answer: None }
    }

    fn summary(&self) -> RunSummary {
        let asks =
            |key| matches!(&self.summary.status, Status::Asking { key: asked, .. } if asked == key);
        let is_answered = self.answer.as_ref().is_some_and(|(key, _)| asks(key));
        RunSummary { is_answered, ..self.summary.clone() }
    }

    fn append(&mut self, records: Vec<Record>) -> Result<(), StoreError> {
        let mut summary = self.summary.clone();
        records.iter().try_for_each(|record| summary.apply(record))?;
        let events = records.iter().filter_map(|record| match record {
            Record::Event(event) => event.asked.as_ref(),
            _ => None,
        });
        for asked in events {
            self.answer.take_if(|(key, _)| *key == asked.key);
        }
        self.summary = summary;
        for blobs in records.iter().filter_map(Record::blobs) {
            self.blobs.merge(blobs.clone());
        }
        self.records.extend(records);
        Ok(())
    }

    fn entries(&self, from: u64, limit: usize) -> Vec<Entry> {
        let records = iter::zip(0.., &self.records);
        let start = usize::try_from(from).unwrap_or(usize::MAX);
        let records = records.skip(start).take(limit);
        records.map(|(number, record)| Entry { number, record: record.clone() }).collect()
    }

    fn blobs(&self, digests: &[Digest]) -> Result<BlobSet, StoreError> {
        let find = |digest: &Digest| {
            let (run, digest) = (&self.summary.run, *digest);
            let missing = || StoreError::MissingBlob { run: run.clone(), digest };
            self.blobs.get(digest).cloned().ok_or_else(missing)
        };
        digests.iter().map(find).collect()
    }

    fn last_full_snapshot(&self, until: u64) -> Option<u64> {
        let snapshots =
            iter::zip(0.., &self.records).filter(|(_, record)| record.is_full_snapshot());
        snapshots.map(|(number, _)| number).take_while(|number| *number <= until).last()
    }

    fn answer(&mut self, key: &CallKey, answer: Value) -> Result<(), StoreError> {
        self.summary.check_answer(key, &answer)?;
        self.answer = Some((key.clone(), answer));
        Ok(())
    }
}

impl Store for MemoryStore {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move { self.acquire_lease(run) })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.lock().append(lease, records) })
    }

    fn entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        Box::pin(async move { Ok(self.lock().journal(run)?.entries(from, limit)) })
    }

    fn blobs<'a>(
        &'a self,
        run: &'a RunId,
        digests: &'a [Digest],
    ) -> BoxFuture<'a, Result<BlobSet, StoreError>> {
        Box::pin(async move { self.lock().journal(run)?.blobs(digests) })
    }

    fn last_full_snapshot<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        Box::pin(async move {
            Ok(self.lock().journal(run).ok().and_then(|journal| journal.last_full_snapshot(until)))
        })
    }

    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>> {
        Box::pin(async move {
            let shared = self.lock();
            let slots = shared.slots.values();
            let runs = slots.filter_map(|slot| Some((slot.journal.as_ref()?.number, slot)));
            let runs = runs.filter_map(|(number, slot)| Some((number, slot.summary()?)));
            let mut runs: Vec<_> = runs.filter(|(_, run)| filter.matches(run)).collect();
            runs.sort_by_key(|(number, run)| std::cmp::Reverse((run.begun, *number)));
            let runs = runs.into_iter().map(|(_, run)| run);
            Ok(runs.take(filter.limit.unwrap_or(usize::MAX)).collect())
        })
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        Box::pin(async move { Ok(self.lock().slots.get(run).and_then(RunSlot::summary)) })
    }

    fn submit(&self, submission: Submission) -> BoxFuture<'_, Result<RunId, StoreError>> {
        Box::pin(async move { self.lock().submit(submission) })
    }

    fn due<'a>(&'a self, filter: &'a DueFilter) -> BoxFuture<'a, Result<Vec<DueRun>, StoreError>> {
        Box::pin(async move {
            let shared = self.lock();
            let mut due: Vec<_> =
                shared.slots.values().filter_map(|slot| slot.due(filter)).collect();
            due.sort_by_key(|(since, _)| *since);
            Ok(due.into_iter().map(|(_, run)| run).take(filter.limit).collect())
        })
    }

    fn set_aside<'a>(
        &'a self,
        lease: &'a Lease,
        reason: SetAside,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.lock().set_aside(lease, reason) })
    }

    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            Ok(shared.journal_mut(run)?.summary.set_aside.take().is_some())
        })
    }

    fn put_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            shared.journal_mut(run)?.answer(key, answer)?;
            if let Some(slot) = shared.slots.get(run) {
                slot.answer_notify.notify_waiters();
            }
            Ok(())
        })
    }

    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(async move {
            let notify = {
                let mut shared = self.lock();
                Arc::clone(&shared.slots.entry(run.clone()).or_default().answer_notify)
            };
            loop {
                let mut notified = pin!(notify.notified());
                // Registered before the answer is looked up, so that no notification is missed.
                notified.as_mut().enable();
                if let Ok(MemoryJournal { answer: Some((asked, answer)), .. }) =
                    self.lock().journal(run)
                    && asked == key
                {
                    return Ok(answer.clone());
                }
                notified.await;
            }
        })
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            shared.journal(run)?;
            // The slot stays, as callers may wait for an answer in it.
            if let Some(slot) = shared.slots.get_mut(run) {
                if slot.lease_epoch.is_some() {
                    return Err(leased_error(run));
                }
                slot.journal = None;
            }
            Ok(())
        })
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.lock().slots.values().filter(|slot| slot.journal.is_some()).count();
        f.debug_struct("MemoryStore").field("runs", &runs).finish()
    }
}

/// Releases a run when it is dropped.
struct LeaseGuard {
    store: MemoryStore,
    run: RunId,
    epoch: u64,
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        let mut shared = self.store.lock();
        if let Some(slot) = shared.slots.get_mut(&self.run) {
            slot.lease_epoch.take_if(|epoch| *epoch == self.epoch);
        }
    }
}

fn leased_error(run: &RunId) -> StoreError {
    StoreError::Leased { run: run.clone(), by: "this program".to_owned() }
}
