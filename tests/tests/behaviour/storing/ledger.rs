//! A store whose power can be cut, and which can run full.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use cot_core::{
    CallKey, RunEvent,
    model::{BlobSet, BoxFuture, Digest},
    store::{
        CancelRequest, DueFilter, DueRun, Entry, Lease, MemoryStore, ProcessDescription, Record,
        RunFilter, RunId, RunSummary, SetAside, Spending, SpendingFilter, Status, Store,
        StoreError, Submission,
    },
};
use serde_json::Value;
use tokio::{sync::Notify, time::sleep};

/// Clones share what they hold.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    memory: MemoryStore,
    script: Arc<Mutex<Script>>,
    /// Told when the power is cut.
    cut: Arc<Notify>,
}

#[derive(Default)]
struct Script {
    /// How many times something was appended, or was to be.
    appends: usize,
    /// What is to happen at which append.
    fate: Option<(Range<usize>, Fate)>,
    /// How long an append takes.
    delay: Option<Duration>,
    /// What is read, in place of what was written.
    edit: Option<Edit>,
    /// How many programs died with which run.
    crashes: HashMap<String, u32>,
}

type Edit = Arc<dyn Fn(&mut Record) + Send + Sync>;

/// What happens to an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The power is cut before it is durable.
    CutBefore,
    /// The power is cut once it is durable, and before anybody hears of that.
    CutAfter,
    /// There is no room for it.
    Full,
    /// Somebody else has taken the run.
    Taken,
}

impl Ledger {
    /// Has something happen at an append, counted from 0 and from now on.
    pub(crate) fn at(&self, append: usize, fate: Fate) {
        let mut script = self.script();
        let append = script.appends + append;
        script.fate = Some((append..append + 1, fate));
    }

    /// Has something happen at every append from now on.
    pub(crate) fn always(&self, fate: Fate) {
        self.script().fate = Some((0..usize::MAX, fate));
    }

    /// Has nothing happen any more.
    pub(crate) fn mend(&self) {
        self.script().fate = None;
    }

    pub(crate) fn slow(&self, delay: Duration) {
        self.script().delay = Some(delay);
    }

    /// Has entries read differently.
    pub(crate) fn edit(&self, edit: impl Fn(&mut Record) + Send + Sync + 'static) {
        self.script().edit = Some(Arc::new(edit));
    }

    /// Has this many programs die with a run.
    pub(crate) fn crash(&self, run: &str, times: u32) {
        self.script().crashes.insert(run.to_owned(), times);
    }

    /// Until the power is cut.
    pub(crate) async fn cut(&self) {
        self.cut.notified().await;
    }

    pub(crate) fn appends(&self) -> usize {
        self.script().appends
    }

    pub(crate) async fn records(&self, run: &str) -> Vec<Record> {
        let entries = self.memory.entries(&run.parse().unwrap(), 0, usize::MAX).await;
        entries.unwrap().into_iter().map(|entry| entry.record).collect()
    }

    /// The calls of which a journal tells what came, if there is one.
    pub(crate) async fn answered(&self, run: &str) -> BTreeSet<String> {
        let entries = self.memory.entries(&run.parse().unwrap(), 0, usize::MAX).await;
        let events = entries.into_iter().flatten().filter_map(|entry| match entry.record {
            Record::Event(event) => Some(event.asked?.key.to_string()),
            _ => None,
        });
        events.collect()
    }

    /// What has happened in a run.
    pub(crate) async fn notes(&self, run: &str) -> Vec<RunEvent> {
        let steps = self.records(run).await.into_iter().filter_map(|record| match record {
            Record::Step(step) => Some(step.notes),
            _ => None,
        });
        steps.flatten().collect()
    }

    pub(crate) async fn status(&self, run: &str) -> Status {
        self.summary(run).await.status
    }

    pub(crate) async fn summary(&self, run: &str) -> RunSummary {
        self.memory.run(&run.parse().unwrap()).await.unwrap().unwrap()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }

    fn next_fate(&self) -> Option<Fate> {
        let mut script = self.script();
        let append = script.appends;
        script.appends += 1;
        script.fate.as_ref().filter(|(at, _)| at.contains(&append)).map(|(_, fate)| *fate)
    }

    async fn lose_power<T>(&self) -> T {
        self.cut.notify_one();
        std::future::pending().await
    }
}

impl Store for Ledger {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        self.memory.acquire(run)
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let delay = self.script().delay;
            if let Some(delay) = delay {
                sleep(delay).await;
            }
            match self.next_fate() {
                None => self.memory.append(lease, records).await,
                Some(Fate::CutBefore) => self.lose_power().await,
                Some(Fate::CutAfter) => {
                    self.memory.append(lease, records).await?;
                    self.lose_power().await
                }
                Some(Fate::Full) => Err(StoreError::Full { source: "no room".into() }),
                Some(Fate::Taken) => Err(StoreError::LeaseLost { run: lease.run().clone() }),
            }
        })
    }

    fn entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        Box::pin(async move {
            let entries = self.memory.entries(run, from, limit).await?.into_iter();
            let edit = self.script().edit.clone();
            let edited = entries.map(|mut entry| {
                if let Some(edit) = &edit {
                    edit(&mut entry.record);
                }
                entry
            });
            Ok(edited.collect())
        })
    }

    fn blobs<'a>(
        &'a self,
        run: &'a RunId,
        digests: &'a [Digest],
    ) -> BoxFuture<'a, Result<BlobSet, StoreError>> {
        self.memory.blobs(run, digests)
    }

    fn last_full_snapshot<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        self.memory.last_full_snapshot(run, until)
    }

    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>> {
        self.memory.runs(filter)
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        self.memory.run(run)
    }

    fn submit(&self, submission: Submission) -> BoxFuture<'_, Result<RunId, StoreError>> {
        self.memory.submit(submission)
    }

    fn due<'a>(&'a self, filter: &'a DueFilter) -> BoxFuture<'a, Result<Vec<DueRun>, StoreError>> {
        Box::pin(async move {
            let mut due = self.memory.due(filter).await?;
            let crashes = &self.script().crashes;
            for run in &mut due {
                run.crashes = crashes.get(&run.run.to_string()).copied().unwrap_or(0);
            }
            Ok(due)
        })
    }

    fn set_aside<'a>(
        &'a self,
        lease: &'a Lease,
        reason: SetAside,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.memory.set_aside(lease, reason)
    }

    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.memory.retry(run)
    }

    fn put_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.memory.put_answer(run, key, answer)
    }

    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        self.memory.wait_for_answer(run, key)
    }

    fn count<'a>(&'a self, filter: &'a RunFilter) -> BoxFuture<'a, Result<u64, StoreError>> {
        self.memory.count(filter)
    }

    fn request_cancel<'a>(
        &'a self,
        run: &'a RunId,
        request: CancelRequest,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.memory.request_cancel(run, request)
    }

    fn wait_for_cancel<'a>(
        &'a self,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<CancelRequest, StoreError>> {
        self.memory.wait_for_cancel(run)
    }

    fn spending<'a>(
        &'a self,
        filter: &'a SpendingFilter,
    ) -> BoxFuture<'a, Result<Vec<Spending>, StoreError>> {
        self.memory.spending(filter)
    }

    fn put_process<'a>(
        &'a self,
        description: &'a ProcessDescription,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.memory.put_process(description)
    }

    fn process<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<ProcessDescription>, StoreError>> {
        self.memory.process(name)
    }

    fn processes(&self) -> BoxFuture<'_, Result<Vec<ProcessDescription>, StoreError>> {
        self.memory.processes()
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        self.memory.remove(run)
    }
}
