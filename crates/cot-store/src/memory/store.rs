//! The store in memory.

use std::{
    fmt,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_engine::CallKey;
use cot_model::{BlobSet, BoxFuture, Digest};
use serde_json::Value;

use super::shared::{RunSlot, Shared};
use crate::{
    cancel::CancelRequest,
    draft::Draft,
    due::{DueFilter, DueRun},
    error::StoreError,
    filter::RunFilter,
    lease::Lease,
    process::ProcessDescription,
    record::{Entry, Record},
    run_id::RunId,
    spending::{Spending, SpendingFilter},
    store::Store,
    submission::Submission,
    summary::{RunSummary, SetAside},
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

    /// Waits until something is stored for a run.
    async fn wait_for<T>(&self, run: &RunId, find: impl Fn(&Shared) -> Option<T>) -> T {
        let notify = self.lock().notify(run);
        loop {
            let mut notified = pin!(notify.notified());
            // Registered before it is looked for, so that no notification is missed.
            notified.as_mut().enable();
            let found = find(&self.lock());
            match found {
                Some(found) => return found,
                None => notified.await,
            }
        }
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
            let runs = self.lock().runs(filter).into_iter().skip(filter.offset);
            Ok(runs.take(filter.limit.unwrap_or(usize::MAX)).collect())
        })
    }

    fn count<'a>(&'a self, filter: &'a RunFilter) -> BoxFuture<'a, Result<u64, StoreError>> {
        Box::pin(async move {
            let count = self.lock().runs(filter).len();
            Ok(u64::try_from(count).unwrap_or(u64::MAX))
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
            shared.notify(run).notify_waiters();
            Ok(())
        })
    }

    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(async move {
            let answer = |shared: &Shared| {
                let (asked, answer) = shared.journal(run).ok()?.answer.as_ref()?;
                (asked == key).then(|| answer.clone())
            };
            Ok(self.wait_for(run, answer).await)
        })
    }

    fn request_cancel<'a>(
        &'a self,
        run: &'a RunId,
        request: CancelRequest,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let mut shared = self.lock();
            shared.journal_mut(run)?.summary.request_cancel(request)?;
            shared.notify(run).notify_waiters();
            Ok(())
        })
    }

    fn wait_for_cancel<'a>(
        &'a self,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<CancelRequest, StoreError>> {
        Box::pin(async move {
            let request =
                |shared: &Shared| shared.journal(run).ok()?.summary.cancel_requested.clone();
            Ok(self.wait_for(run, request).await)
        })
    }

    fn spending<'a>(
        &'a self,
        filter: &'a SpendingFilter,
    ) -> BoxFuture<'a, Result<Vec<Spending>, StoreError>> {
        Box::pin(async move {
            let shared = self.lock();
            Ok(shared.spending.iter().filter(|row| filter.matches(row)).cloned().collect())
        })
    }

    fn put_process<'a>(
        &'a self,
        description: &'a ProcessDescription,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let name = description.name.clone();
            self.lock().processes.insert(name, description.clone());
            Ok(())
        })
    }

    fn process<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<ProcessDescription>, StoreError>> {
        Box::pin(async move { Ok(self.lock().processes.get(name).cloned()) })
    }

    fn processes(&self) -> BoxFuture<'_, Result<Vec<ProcessDescription>, StoreError>> {
        Box::pin(async move { Ok(self.lock().processes.values().cloned().collect()) })
    }

    fn put_draft<'a>(
        &'a self,
        lease: &'a Lease,
        draft: Draft,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move { self.lock().put_draft(lease, draft) })
    }

    fn drafts<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Vec<Draft>, StoreError>> {
        Box::pin(async move {
            let shared = self.lock();
            let drafts = shared.journal(run).map(|journal| &journal.drafts);
            Ok(drafts.into_iter().flat_map(|drafts| drafts.values().cloned()).collect())
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
        self.store.lock().release(&self.run, self.epoch);
    }
}

fn leased_error(run: &RunId) -> StoreError {
    StoreError::Leased { run: run.clone(), by: "this program".to_owned() }
}
