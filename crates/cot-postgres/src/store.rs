//! The store: a facade over the tables.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use cot_engine::{CallKey, ConnectionType};
use cot_model::{BlobSet, BoxFuture, Digest};
use cot_store::{
    CancelRequest, Draft, DueFilter, DueRun, Entry, Lease, ProcessDescription, Record, RunFilter,
    RunId, RunSummary, SetAside, Spending, SpendingFilter, Status, Store, StoreError, Submission,
    Transaction, TransactionSupport, internal::row,
};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use tokio::{
    runtime::Handle,
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    append::{append, batch::Batches, submit},
    blobs,
    database::Database,
    driving::{drafts, lease, owners::Owners},
    journal, maintenance, processes,
    prompt::FixedTexts,
    runs::{
        due, list,
        table::{self, StoredRun},
    },
    spending,
    waiting::{listener, requests, waiters::Waiters},
};

/// A store of runs in a Postgres database. Clones share the connections.
#[derive(Clone)]
pub struct PgStore {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) db: Database,
    pub(crate) owners: Arc<Owners>,
    batches: Batches,
    pub(crate) fixed: FixedTexts,
    pub(crate) transaction_limit: Duration,
    waiters: Arc<Waiters>,
    /// That of the pool.
    runtime: Handle,
    /// Begun when a call waits for the first time.
    listener: OnceLock<JoinHandle<()>>,
}

impl Inner {
    /// Must be called in a runtime. `own` and `writing` are connections beside the program's pool, the latter
    /// for appends.
    pub(crate) fn new(
        db: Database,
        [own, writing]: [PgPool; 2],
        lease_time: Duration,
        transaction_limit: Duration,
    ) -> Self {
        let [own, writing] =
            [own, writing].map(|pool| Database { pool, schema: db.schema.clone() });
        Self {
            db,
            owners: Arc::new(Owners::new(own, lease_time)),
            batches: Batches::new(writing),
            fixed: FixedTexts::default(),
            transaction_limit,
            waiters: Arc::default(),
            runtime: Handle::current(),
            listener: OnceLock::new(),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(listener) = self.listener.get() {
            listener.abort();
        }
    }
}

impl PgStore {
    pub(crate) fn from_inner(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Waits until the leases that were dropped are released, for a program that ends: so that another one need not
    /// wait until they expire.
    pub async fn close(&self) {
        let owners = &self.inner.owners;
        let end = Instant::now() + owners.time;
        while !owners.dropped().is_empty() && Instant::now() < end {
            sleep(Duration::from_millis(2)).await;
        }
    }

    /// Returns the calls that wait, after beginning to listen for them.
    fn waiters(&self) -> &Waiters {
        let Inner { db, owners, waiters, runtime, .. } = &*self.inner;
        self.inner.listener.get_or_init(|| {
            runtime.spawn(listener::listen(db.clone(), owners.db.pool.clone(), Arc::clone(waiters)))
        });
        waiters
    }

    /// Adds to a summary whether the run is driven.
    fn summary(&self, known: StoredRun) -> Option<RunSummary> {
        let is_driven = lease::driver(&self.inner.owners, &known).is_some();
        known.summary.map(|mut summary| {
            summary.is_driven = is_driven;
            summary
        })
    }

    async fn append_records(&self, lease: &Lease, records: Vec<Record>) -> Result<(), StoreError> {
        let Inner { db, owners, batches, fixed, .. } = &*self.inner;
        append::append(db, owners, (batches, fixed), lease, &records).await?;
        self.take_drafts(lease, &records).await;
        Ok(())
    }

    /// Removes the drafts of the calls that records have answered.
    pub(crate) async fn take_drafts(&self, lease: &Lease, records: &[Record]) {
        let Inner { db, owners, .. } = &*self.inner;
        if !owners.has_drafts(lease) {
            return;
        }
        let is_ended = records.iter().any(|record| record.status().is_some_and(Status::is_ended));
        let keys = records.iter().filter_map(row::asked).map(|asked| asked.key.to_string());
        let keys: Vec<String> = keys.collect();
        if is_ended || !keys.is_empty() {
            // A draft that remains is shown a little longer.
            let _ = drafts::take(db, lease.run(), &keys, is_ended).await;
        }
    }
}

impl fmt::Debug for PgStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgStore").field("schema", &self.inner.db.schema).finish_non_exhaustive()
    }
}

impl Store for PgStore {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(lease::acquire(&self.inner.db, &self.inner.owners, run))
    }

    fn lease_time(&self) -> Option<Duration> {
        Some(self.inner.owners.time)
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.append_records(lease, records))
    }

    fn transactions(&self) -> Option<TransactionSupport> {
        let connection = ConnectionType::new::<PgConnection>();
        Some(TransactionSupport::new(connection, self.inner.transaction_limit))
    }

    fn begin<'a>(
        &'a self,
        lease: &'a Lease,
    ) -> BoxFuture<'a, Result<Box<dyn Transaction>, StoreError>> {
        Box::pin(self.begin_transaction(lease))
    }

    fn entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>> {
        let db = &self.inner.db;
        Box::pin(db.attempt("reading a journal", move |_| journal::entries(db, run, from, limit)))
    }

    fn blobs<'a>(
        &'a self,
        run: &'a RunId,
        digests: &'a [Digest],
    ) -> BoxFuture<'a, Result<BlobSet, StoreError>> {
        let db = &self.inner.db;
        let read = move |_| blobs::read(db, run, digests);
        Box::pin(db.attempt("reading images and documents", read))
    }

    fn last_full_snapshot<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        let db = &self.inner.db;
        let find = move |_| journal::last_full_snapshot(db, run, until);
        Box::pin(db.attempt("reading a journal", find))
    }

    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>> {
        Box::pin(async move {
            let db = &self.inner.db;
            let runs = db.attempt("listing runs", |_| list::list(db, filter)).await?;
            Ok(runs.into_iter().filter_map(|known| self.summary(known)).collect())
        })
    }

    fn count<'a>(&'a self, filter: &'a RunFilter) -> BoxFuture<'a, Result<u64, StoreError>> {
        let db = &self.inner.db;
        Box::pin(db.attempt("counting runs", move |_| list::count(db, filter)))
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        Box::pin(async move {
            let db = &self.inner.db;
            let known = db.attempt("reading a run", |_| table::find(db, run)).await?;
            Ok(known.and_then(|known| self.summary(known)))
        })
    }

    fn submit(&self, submission: Submission) -> BoxFuture<'_, Result<RunId, StoreError>> {
        Box::pin(async move {
            let (run, record) = submission.into_record();
            submit::submit(&self.inner.db, &self.inner.owners, &run, &record).await?;
            self.inner.waiters.due.notify_waiters();
            Ok(run)
        })
    }

    fn due<'a>(&'a self, filter: &'a DueFilter) -> BoxFuture<'a, Result<Vec<DueRun>, StoreError>> {
        let Inner { db, owners, .. } = &*self.inner;
        Box::pin(db.attempt("listing due runs", move |_| due::list(db, owners, filter)))
    }

    fn wait_for_due(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.waiters().due.notified())
    }

    fn poll_interval(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn set_aside<'a>(
        &'a self,
        lease: &'a Lease,
        reason: SetAside,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Inner { db, owners, .. } = &*self.inner;
            let set_aside = |_| requests::set_aside(db, owners, lease, &reason);
            db.attempt("setting a run aside", set_aside).await
        })
    }

    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>> {
        let db = &self.inner.db;
        let retry = move |attempt| requests::retry(db, run, attempt);
        Box::pin(db.attempt("putting a run back", retry))
    }

    fn put_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Inner { db, waiters, .. } = &*self.inner;
            let put = |attempt| requests::put_answer(db, run, (key, &answer), attempt);
            db.attempt("storing an answer", put).await?;
            waiters.wake(run.as_str());
            Ok(())
        })
    }

    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(async move {
            let (db, key) = (&self.inner.db, &key.to_string());
            let find = || {
                let find = move |_| requests::find_answer(db, run, key);
                db.attempt("waiting for an answer", find)
            };
            self.waiters().wait_for(run, find).await
        })
    }

    fn request_cancel<'a>(
        &'a self,
        run: &'a RunId,
        request: CancelRequest,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Inner { db, waiters, .. } = &*self.inner;
            let cancel = |_| requests::cancel(db, run, &request);
            db.attempt("storing a request to cancel a run", cancel).await?;
            waiters.wake(run.as_str());
            Ok(())
        })
    }

    fn wait_for_cancel<'a>(
        &'a self,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<CancelRequest, StoreError>> {
        Box::pin(async move {
            let db = &self.inner.db;
            let find = || {
                let find = move |_| requests::find_cancel(db, run);
                db.attempt("waiting for a request to cancel a run", find)
            };
            self.waiters().wait_for(run, find).await
        })
    }

    fn spending<'a>(
        &'a self,
        filter: &'a SpendingFilter,
    ) -> BoxFuture<'a, Result<Vec<Spending>, StoreError>> {
        let db = &self.inner.db;
        Box::pin(db.attempt("reading what was spent", move |_| spending::list(db, filter)))
    }

    fn put_process<'a>(
        &'a self,
        description: &'a ProcessDescription,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let db = &self.inner.db;
        let store = move |_| processes::store(db, description);
        Box::pin(db.attempt("storing the description of a process", store))
    }

    fn process<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<ProcessDescription>, StoreError>> {
        let db = &self.inner.db;
        let find = move |_| processes::find(db, name);
        Box::pin(db.attempt("reading the description of a process", find))
    }

    fn processes(&self) -> BoxFuture<'_, Result<Vec<ProcessDescription>, StoreError>> {
        let db = &self.inner.db;
        Box::pin(db.attempt("reading the descriptions of processes", move |_| processes::list(db)))
    }

    fn put_draft<'a>(
        &'a self,
        lease: &'a Lease,
        draft: Draft,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Inner { db, owners, .. } = &*self.inner;
            owners.note_drafts(lease)?;
            // Not tried again, since the next draft replaces it.
            let put = drafts::put(db, owners, lease, &draft).await;
            put.map_err(|error| error.into_error("writing a draft"))
        })
    }

    fn drafts<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Vec<Draft>, StoreError>> {
        Box::pin(async move {
            let Inner { db, owners, .. } = &*self.inner;
            let read = |_| async {
                match table::find(db, run).await? {
                    Some(known) if lease::driver(owners, &known).is_some() => {
                        drafts::read(db, &known).await
                    }
                    _ => Ok(Vec::new()),
                }
            };
            db.attempt("reading drafts", read).await
        })
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Inner { db, owners, .. } = &*self.inner;
            let remove = |attempt| maintenance::remove(db, owners, run, attempt);
            db.attempt("removing a run", remove).await
        })
    }
}
