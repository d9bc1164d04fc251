//! A store for tests and for runs that need not outlive their program.

use std::{
    collections::BTreeMap,
    fmt, iter,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::CallKey;
use cot_model::BoxFuture;
use serde_json::Value;
use tokio::sync::Notify;

use crate::{
    error::StoreError,
    lease::Lease,
    record::{Entry, Record},
    run_id::RunId,
    store::Store,
    summary::{RunFilter, RunSummary},
};

/// Keeps runs in memory, for tests and for runs that need not outlive their program. Clones share the runs.
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
    places: BTreeMap<RunId, Place>,
    /// Counts the leases and the journals, so that each gets a number of its own.
    counter: u64,
}

/// What there is of a run. Somebody may hold it, or wait for an answer, before it begins.
#[derive(Default)]
struct Place {
    journal: Option<Journal>,
    /// The epoch of the lease that somebody holds.
    driver: Option<u64>,
    /// Told when there is an answer.
    answered: Arc<Notify>,
}

struct Journal {
    /// Which journal of the store it is.
    number: u64,
    summary: RunSummary,
    records: Vec<Record>,
    answer: Option<(CallKey, Value)>,
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, run: &RunId) -> Result<Lease, StoreError> {
        let mut shared = self.lock();
        let epoch = shared.count();
        let place = shared.places.entry(run.clone()).or_default();
        if place.driver.is_some() {
            return Err(leased(run));
        }
        place.driver = Some(epoch);
        let guard = Guard { store: self.clone(), run: run.clone(), epoch };
        Ok(Lease::new(run.clone(), epoch, guard))
    }
}

impl Shared {
    fn count(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn journal(&self, run: &RunId) -> Result<&Journal, StoreError> {
        let journal = self.places.get(run).and_then(|place| place.journal.as_ref());
        journal.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
    }

    fn append(&mut self, lease: &Lease, records: Vec<Record>) -> Result<(), StoreError> {
        let number = self.count();
        let place = self.places.get_mut(lease.run());
        let place = place.filter(|place| place.driver == Some(lease.epoch()));
        let Some(place) = place else {
            return Err(StoreError::LeaseLost { run: lease.run().clone() });
        };
        let mut records = records.into_iter().map(Record::rounded);
        if let Some(journal) = &mut place.journal {
            return journal.append(records.collect());
        }
        if let Some(first) = records.next() {
            let summary = RunSummary::of(lease.run(), &first)?;
            let mut journal = Journal { number, summary, records: vec![first], answer: None };
            journal.append(records.collect())?;
            place.journal = Some(journal);
        }
        Ok(())
    }
}

impl Place {
    fn summary(&self) -> Option<RunSummary> {
        let summary = self.journal.as_ref()?.summary.clone();
        Some(RunSummary { is_driven: self.driver.is_some(), ..summary })
    }
}

impl Journal {
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
        self.records.extend(records);
        Ok(())
    }

    fn entries(&self, from: u64, limit: usize) -> Vec<Entry> {
        let records = iter::zip(0.., &self.records);
        let start = usize::try_from(from).unwrap_or(usize::MAX);
        let records = records.skip(start).take(limit);
        records.map(|(number, record)| Entry { number, record: record.clone() }).collect()
    }

    fn last_whole(&self, until: u64) -> Option<u64> {
        let wholes = iter::zip(0.., &self.records).filter(|(_, record)| record.is_whole());
        wholes.map(|(number, _)| number).take_while(|number| *number <= until).last()
    }

    fn answer(&mut self, key: &CallKey, answer: Value) -> Result<(), StoreError> {
        self.summary.check_answer(key, &answer)?;
        self.answer = Some((key.clone(), answer));
        Ok(())
    }
}

impl Store for MemoryStore {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move { self.take(run) })
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

    fn last_whole<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        Box::pin(async move {
            Ok(self.lock().journal(run).ok().and_then(|journal| journal.last_whole(until)))
        })
    }

    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>> {
        Box::pin(async move {
            let shared = self.lock();
            let places = shared.places.values();
            let runs = places.filter_map(|place| Some((place.journal.as_ref()?.number, place)));
            let runs = runs.filter_map(|(number, place)| Some((number, place.summary()?)));
            let mut runs: Vec<_> = runs.filter(|(_, run)| filter.lets_through(run)).collect();
            runs.sort_by_key(|(number, run)| std::cmp::Reverse((run.begun, *number)));
            let runs = runs.into_iter().map(|(_, run)| run);
            Ok(runs.take(filter.limit.unwrap_or(usize::MAX)).collect())
        })
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        Box::pin(async move { Ok(self.lock().places.get(run).and_then(Place::summary)) })
    }

    fn answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            let place = shared.places.get_mut(run);
            let unknown = || StoreError::UnknownRun { run: run.clone() };
            let place = place.ok_or_else(unknown)?;
            place.journal.as_mut().ok_or_else(unknown)?.answer(key, answer)?;
            place.answered.notify_waiters();
            Ok(())
        })
    }

    fn answered<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(async move {
            let answered = {
                let mut shared = self.lock();
                Arc::clone(&shared.places.entry(run.clone()).or_default().answered)
            };
            loop {
                let mut told = pin!(answered.notified());
                // From here on nothing is missed.
                told.as_mut().enable();
                if let Ok(Journal { answer: Some((asked, answer)), .. }) = self.lock().journal(run)
                    && asked == key
                {
                    return Ok(answer.clone());
                }
                told.await;
            }
        })
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            shared.journal(run)?;
            // The place stays, for those who wait there.
            if let Some(place) = shared.places.get_mut(run) {
                if place.driver.is_some() {
                    return Err(leased(run));
                }
                place.journal = None;
            }
            Ok(())
        })
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.lock().places.values().filter(|place| place.journal.is_some()).count();
        f.debug_struct("MemoryStore").field("runs", &runs).finish()
    }
}

/// Gives a run back.
struct Guard {
    store: MemoryStore,
    run: RunId,
    epoch: u64,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut shared = self.store.lock();
        if let Some(place) = shared.places.get_mut(&self.run) {
            place.driver.take_if(|epoch| *epoch == self.epoch);
        }
    }
}

fn leased(run: &RunId) -> StoreError {
    StoreError::Leased { run: run.clone(), by: "this program".to_owned() }
}
