//! The store: a facade over its threads.

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use cot_engine::CallKey;
use cot_model::{BlobSet, BoxFuture, Digest};
use cot_store::{
    DueFilter, DueRun, Entry, Lease, Record, RunFilter, RunId, RunSummary, SetAside, Store,
    StoreError, Submission,
};
use serde_json::Value;

use crate::{
    answers::{self, AnswerWatcher},
    blobs,
    driving::{lease, owner::Owners},
    error::{OperationError, failed},
    journal, maintenance,
    readers::{Readers, in_snapshot},
    row::Row,
    runs::{self, StoredRun},
    write_connection::WriteConnection,
    writer::Writer,
};

/// A store of runs in a SQLite database. Clones share the connections.
///
/// Dropping the last clone and the last lease waits until all pending work is written.
#[derive(Clone)]
pub struct SqliteStore {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) readers: Readers,
    pub(crate) watch: AnswerWatcher,
    /// Dropped after the readers, so that SQLite can remove its temporary files.
    pub(crate) writer: Writer,
    pub(crate) owners: Arc<Owners>,
    pub(crate) path: PathBuf,
}

impl SqliteStore {
    pub(crate) fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Removes the ended runs whose last entry is older than `before`. Returns how many. Their space in
    /// the file is reused; [`vacuum`](Self::vacuum) shrinks the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the store can't be written.
    pub async fn prune(&self, before: SystemTime) -> Result<u64, StoreError> {
        let prune = move |db: &mut WriteConnection| maintenance::prune(db, before);
        self.inner.writer.perform("removing old runs", prune).await
    }

    /// Removes texts that no run uses and shrinks the file to its minimal size. Blocks all other
    /// writes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store can't be written. Needs as much free disk space as the size of the
    /// database.
    pub async fn vacuum(&self) -> Result<(), StoreError> {
        self.inner.writer.perform("removing unused texts", maintenance::drop_unused_texts).await?;
        self.inner
            .writer
            .perform_outside_transaction("shrinking the file", maintenance::vacuum)
            .await
    }

    /// Copies the store in its current state to a new file. Runs continue meanwhile.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists or can't be written.
    pub async fn back_up(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let to = to.into();
        let back_up = move |connection: &_| maintenance::back_up(connection, &to);
        self.inner.readers.perform("making a backup", back_up).await
    }

    /// Removes the entries of a run from number `from`, for journals with unreadable entries. Returns
    /// how many were removed. The run resumes from the remaining entries and repeats the calls of the
    /// removed ones; answers that are not yet consumed are removed too.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] if the run is driven; [`StoreError::Corrupt`]
    /// if an earlier entry is unreadable or missing. Fails if no entry would remain: use
    /// [`remove`](Store::remove) instead.
    pub async fn cut(&self, run: &RunId, from: u64) -> Result<u64, StoreError> {
        let run = run.clone();
        let cut = move |db: &mut WriteConnection| maintenance::cut(db, &run, from);
        self.inner.writer.perform("cutting a journal", cut).await
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
        f.debug_struct("SqliteStore").field("path", &self.inner.path).finish_non_exhaustive()
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
        self.inner.owners.forget(epoch.load(Ordering::Acquire));
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
            let rows = records.iter().map(Row::new).collect::<Result<Vec<_>, _>>();
            let rows =
                rows.map_err(|error| failed(APPENDING, ": it can't be written as JSON", error))?;
            let bytes = rows.iter().map(|row| row.bytes).sum();
            let (run, epoch) = (lease.run().clone(), lease.epoch());
            let append =
                move |db: &mut WriteConnection| journal::append(db, &run, epoch, &records, &rows);
            self.inner.writer.perform_sized(APPENDING, bytes, append).await
        })
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
            let runs = runs::list(connection, &filter)?.into_iter();
            Ok(runs.map(|known| Self::summary(known, &owners)).collect())
        }))
    }

    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>> {
        let (run, owners) = (run.clone(), Arc::clone(&self.inner.owners));
        Box::pin(self.inner.readers.perform("reading a run", move |connection| {
            Ok(runs::find(connection, &run)?.map(|known| Self::summary(known, &owners)))
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
        let path = self.inner.path.clone();
        Box::pin(self.inner.readers.perform("listing due runs", move |connection| {
            // SQLite itself reads and writes a deleted file without an error.
            if !path.exists() {
                let why = format!(": the database `{}` does not exist any more", path.display());
                let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
                return Err(failed("listing due runs", &why, gone).into());
            }
            in_snapshot(connection, |connection| runs::due(connection, &owners, &filter))
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
            runs::set_aside(&db.connection, &run, &reason)
        };
        Box::pin(self.inner.writer.perform("setting a run aside", set_aside))
    }

    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>> {
        let run = run.clone();
        let retry = move |db: &mut WriteConnection| {
            db.cache.remove_run(&run);
            runs::retry(&db.connection, &run)
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
            let (run, key) = (run.clone(), key.clone());
            let store = move |db: &mut WriteConnection| -> Result<(), OperationError> {
                answers::store(&db.connection, &run, &key, &answer)
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
        Box::pin(self.inner.watch.wait(run, key))
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        let remove = move |db: &mut WriteConnection| maintenance::remove(db, &run);
        Box::pin(self.inner.writer.perform("removing a run", remove))
    }
}

const APPENDING: &str = "appending to a journal";
