//! The store: a facade over its threads.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use cot_engine::{CallKey, ConnectionType};
use cot_model::{BlobSet, BoxFuture, Digest};
use cot_store::{
    CancelRequest, Draft, DueFilter, DueRun, Entry, Lease, ProcessDescription, Record, RunFilter,
    RunId, RunSummary, SetAside, Spending, SpendingFilter, Store, StoreError, Submission,
    Transaction, TransactionSupport, internal::row::Row,
};
use serde_json::Value;

use crate::{
    blobs,
    database_file::DatabaseFile,
    driving::{
        drafts::{self, Drafts, TakenDrafts},
        lease,
        owner::Owners,
    },
    error::{OperationError, failed},
    journal, maintenance, processes,
    readers::{Readers, in_snapshot},
    runs::{
        due, list,
        table::{self, StoredRun},
    },
    spending,
    waiting::{answers, cancels, watcher::Watcher},
    writing::{write_connection::WriteConnection, writer::Writer},
};

/// A store of runs in a SQLite database. Clones share the connections.
///
/// Dropping the last clone and the last lease waits until all pending work is written.
#[derive(Clone)]
pub struct SqliteStore {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) readers: Readers,
    pub(crate) watch: Watcher,
    /// Dropped after the readers, so that SQLite can remove its temporary files.
    pub(crate) writer: Writer,
    pub(crate) owners: Arc<Owners>,
    pub(crate) drafts: Arc<Drafts>,
    pub(crate) file: Arc<DatabaseFile>,
    pub(crate) transaction_limit: Duration,
}

impl SqliteStore {
    pub(crate) fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    async fn acquire_lease(&self, run: &RunId) -> Result<Lease, StoreError> {
        // Releases the lease even if this future is dropped.
        let guard = LeaseGuard { inner: Arc::clone(&self.inner), epoch: Arc::default() };
        let (epoch, wanted) = (Arc::clone(&guard.epoch), run.clone());
        let acquire = move |db: &mut WriteConnection| {
            db.cache.remove_run(&wanted);
            // Forgets the epoch of an earlier attempt that was rolled back.
            db.owners.forget(epoch.swap(0, Ordering::AcqRel));
            let taken = lease::acquire(&db.connection, &db.owners, &wanted)?;
            epoch.store(taken.0, Ordering::Release);
            Ok(taken)
        };
        let what = "acquiring the lease of a run";
        let (epoch, crashes) = self.inner.writer.perform(what, acquire).await?;
        Ok(Lease::new(run.clone(), epoch, guard).with_crashes(crashes))
    }

    async fn store_draft(&self, lease: &Lease, draft: Draft) -> Result<(), StoreError> {
        let Inner { owners, drafts, readers, .. } = &*self.inner;
        let epoch = lease.epoch();
        if !owners.holds(epoch) {
            return Err(StoreError::LeaseLost { run: lease.run().clone() });
        }
        let Some(due) = drafts.put(epoch, draft) else { return Ok(()) };
        let owners = Arc::clone(owners);
        readers.perform("writing a draft", move |_| drafts::write(&due, &owners, epoch)).await
    }

    /// Removes the drafts of the calls that an append has answered.
    pub(crate) fn take_drafts(&self, epoch: u64, taken: TakenDrafts) {
        let Inner { owners, drafts, readers, .. } = &*self.inner;
        if let Some(due) = drafts.take(owners, epoch, taken) {
            let owners = Arc::clone(owners);
            // A file that is not written shows drafts a little longer.
            drop(readers.begin("writing a draft", move |_| drafts::write(&due, &owners, epoch)));
        }
    }

    /// Adds to a summary whether the run is driven, which no table contains.
    fn summary(known: StoredRun, owners: &Owners) -> RunSummary {
        let mut summary = known.summary;
        if let Some((owner, epoch)) = known.lease {
            match owners.holder(&owner, epoch) {
                Ok(holder) => summary.is_driven = holder.is_some(),
                Err(error) => summary.driver_error = Some(error.to_string()),
            }
        }
        summary
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", self.inner.file.path()).finish_non_exhaustive()
    }
}

/// Releases a lease when it is dropped.
struct LeaseGuard {
    inner: Arc<Inner>,
    /// 0 until the lease is acquired.
    epoch: Arc<AtomicU64>,
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        let epoch = Arc::clone(&self.epoch);
        let number = epoch.load(Ordering::Acquire);
        if self.inner.drafts.may_exist() {
            self.inner.drafts.remove(&self.inner.owners, number);
        }
        self.inner.owners.forget(number);
        self.inner.writer.release(epoch);
    }
}

impl Store for SqliteStore {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.acquire_lease(run))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let rows = rows_of(&records)?;
            let bytes = rows.iter().map(|row| row.bytes).sum();
            let (run, epoch) = (lease.run().clone(), lease.epoch());
            let taken = self.inner.drafts.taken_by(&records);
            let append =
                move |db: &mut WriteConnection| journal::append(db, &run, epoch, &records, &rows);
            self.inner.writer.perform_sized(APPENDING, bytes, append).await?;
            self.take_drafts(epoch, taken);
            Ok(())
        })
    }

    fn transactions(&self) -> Option<TransactionSupport> {
        let connection = ConnectionType::new::<rusqlite::Connection>();
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
        let run = run.clone();
        Box::pin(self.inner.readers.perform("reading a journal", move |connection| {
            in_snapshot(connection, |connection| journal::entries(connection, &run, from, limit))
        }))
    }

    fn blobs<'a>(
        &'a self,
        run: &'a RunId,
        digests: &'a [Digest],
    ) -> BoxFuture<'a, Result<BlobSet, StoreError>> {
        let (run, digests) = (run.clone(), digests.to_vec());
        let read = move |connection: &_| blobs::read(connection, &run, &digests);
        Box::pin(self.inner.readers.perform("reading images and documents", read))
    }

    fn last_full_snapshot<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        let run = run.clone();
        let find = move |connection: &_| journal::last_full_snapshot(connection, &run, until);
        Box::pin(self.inner.readers.perform("reading a journal", find))
    }

    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>> {
        let (filter, owners) = (filter.clone(), Arc::clone(&self.inner.owners));
        Box::pin(self.inner.readers.perform("listing runs", move |connection| {
            let runs = in_snapshot(connection, |connection| list::list(connection, &filter))?;
            Ok(runs.into_iter().map(|known| Self::summary(known, &owners)).collect())
        }))
    }

    fn count<'a>(&'a self, filter: &'a RunFilter) -> BoxFuture<'a, Result<u64, StoreError>> {
        let filter = filter.clone();
        Box::pin(self.inner.readers.perform("counting runs", move |connection| {
            in_snapshot(connection, |connection| list::count(connection, &filter))
        }))
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        let (run, owners) = (run.clone(), Arc::clone(&self.inner.owners));
        Box::pin(self.inner.readers.perform("reading a run", move |connection| {
            Ok(table::find(connection, &run)?.map(|known| Self::summary(known, &owners)))
        }))
    }

    fn submit(&self, submission: Submission) -> BoxFuture<'_, Result<RunId, StoreError>> {
        Box::pin(async move {
            let what = "submitting a run";
            let (run, record) = submission.into_record();
            let row = Row::new(&record);
            let row = row.map_err(|error| failed(what, ": it can't be written as JSON", error))?;
            let id = run.clone();
            let submit = move |db: &mut WriteConnection| journal::submit(db, &id, &record, &row);
            self.inner.writer.perform(what, submit).await?;
            Ok(run)
        })
    }

    fn due<'a>(&'a self, filter: &'a DueFilter) -> BoxFuture<'a, Result<Vec<DueRun>, StoreError>> {
        let (filter, owners) = (filter.clone(), Arc::clone(&self.inner.owners));
        Box::pin(self.inner.readers.perform("listing due runs", move |connection| {
            in_snapshot(connection, |connection| due::list(connection, &owners, &filter))
        }))
    }

    fn set_aside<'a>(
        &'a self,
        lease: &'a Lease,
        reason: SetAside,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (run, epoch) = (lease.run().clone(), lease.epoch());
        let set_aside = move |db: &mut WriteConnection| {
            lease::check(&db.connection, &run, epoch)?;
            db.cache.remove_run(&run);
            table::set_aside(&db.connection, &run, &reason)
        };
        Box::pin(self.inner.writer.perform("setting a run aside", set_aside))
    }

    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>> {
        let run = run.clone();
        let retry = move |db: &mut WriteConnection| {
            db.cache.remove_run(&run);
            table::retry(&db.connection, &run)
        };
        Box::pin(self.inner.writer.perform("putting a run back", retry))
    }

    fn put_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            // Checked here, since the rules of an answer are code of the process, and a commit locks the database.
            let asking = self.run(run).await?.ok_or_else(|| table::unknown(run))?;
            asking.check_answer(key, &answer)?;
            let (run, key) = (run.clone(), key.clone());
            let store = move |db: &mut WriteConnection| -> Result<(), OperationError> {
                answers::store(&db.connection, &run, (&key, asking.question_schema(&key)?), &answer)
            };
            self.inner.writer.perform("storing an answer", store).await?;
            self.inner.watch.check();
            Ok(())
        })
    }

    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(self.inner.watch.wait_for_answer(run, key))
    }

    fn request_cancel<'a>(
        &'a self,
        run: &'a RunId,
        request: CancelRequest,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let run = run.clone();
            let store = move |db: &mut WriteConnection| {
                db.cache.remove_run(&run);
                cancels::store(&db.connection, &run, request.clone())
            };
            self.inner.writer.perform("storing a request to cancel a run", store).await?;
            self.inner.watch.check();
            Ok(())
        })
    }

    fn wait_for_cancel<'a>(
        &'a self,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<CancelRequest, StoreError>> {
        Box::pin(self.inner.watch.wait_for_cancel(run))
    }

    fn spending<'a>(
        &'a self,
        filter: &'a SpendingFilter,
    ) -> BoxFuture<'a, Result<Vec<Spending>, StoreError>> {
        let filter = filter.clone();
        Box::pin(self.inner.readers.perform("reading what runs have spent", move |connection| {
            in_snapshot(connection, |connection| spending::list(connection, &filter))
        }))
    }

    fn put_process<'a>(
        &'a self,
        description: &'a ProcessDescription,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let description = description.clone();
        let store = move |db: &mut WriteConnection| processes::store(&db.connection, &description);
        Box::pin(self.inner.writer.perform("storing the description of a process", store))
    }

    fn process<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<ProcessDescription>, StoreError>> {
        let name = name.to_owned();
        let find = move |connection: &_| processes::find(connection, &name);
        Box::pin(self.inner.readers.perform("reading the description of a process", find))
    }

    fn processes(&self) -> BoxFuture<'_, Result<Vec<ProcessDescription>, StoreError>> {
        Box::pin(self.inner.readers.perform("listing processes", processes::list))
    }

    fn put_draft<'a>(
        &'a self,
        lease: &'a Lease,
        draft: Draft,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.store_draft(lease, draft))
    }

    fn drafts<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Vec<Draft>, StoreError>> {
        let (run, owners) = (run.clone(), Arc::clone(&self.inner.owners));
        let drafts = Arc::clone(&self.inner.drafts);
        let read = move |connection: &_| drafts::read(connection, &owners, &drafts, &run);
        Box::pin(self.inner.readers.perform(drafts::READING, read))
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        let remove = move |db: &mut WriteConnection| maintenance::remove(db, &run);
        Box::pin(self.inner.writer.perform("removing a run", remove))
    }
}

const APPENDING: &str = "appending to a journal";

/// Returns the rows of records.
pub(crate) fn rows_of(records: &[Record]) -> Result<Vec<Row>, StoreError> {
    let rows = records.iter().map(Row::new).collect::<Result<_, _>>();
    rows.map_err(|error| failed(APPENDING, ": it can't be written as JSON", error))
}
