//! The store, made of its threads.

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use cot_core::{
    CallKey,
    model::BoxFuture,
    store::{Entry, Lease, Record, RunFilter, RunId, RunSummary, Store, StoreError},
};
use serde_json::Value;

use crate::{
    answers::{self, Watch},
    desk::Desk,
    error::{Problem, failed},
    journal, keep, lease,
    owner::Owners,
    readers::{Readers, at_one_moment},
    row::Row,
    runs::{self, Known},
    writer::Writer,
};

/// Keeps runs in a SQLite database. Clones share the connections.
///
/// Dropping the last clone, and the last lease, waits until all that was asked for is written.
#[derive(Clone)]
pub struct SqliteStore {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) readers: Readers,
    pub(crate) watch: Watch,
    /// Closed after those who read, so that SQLite can put its files in order.
    pub(crate) writer: Writer,
    pub(crate) owners: Arc<Owners>,
    pub(crate) path: PathBuf,
}

impl SqliteStore {
    pub(crate) fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Forgets the runs that are over and got their last entry before a time; gives their number. What they
    /// took up in the file is used again; [`vacuum`](Self::vacuum) makes the file smaller.
    ///
    /// # Errors
    ///
    /// What keeps the store from writing.
    pub async fn prune(&self, before: SystemTime) -> Result<u64, StoreError> {
        let prune = move |desk: &mut Desk| keep::prune(desk, before);
        self.inner.writer.perform("forgetting old runs", prune).await
    }

    /// Drops texts of prompts that no run uses any more, and makes the file as small as it can be. Nothing
    /// can be written meanwhile.
    ///
    /// # Errors
    ///
    /// What keeps the store from writing; it takes as much free space as the database has bytes.
    pub async fn vacuum(&self) -> Result<(), StoreError> {
        self.inner.writer.perform("dropping unused texts", keep::drop_unused_texts).await?;
        self.inner.writer.perform_bare("making the file smaller", keep::vacuum).await
    }

    /// Copies the store as it is now into a new file, while runs go on.
    ///
    /// # Errors
    ///
    /// When there is a file already, and whatever keeps it from being written.
    pub async fn back_up(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let to = to.into();
        let back_up = move |connection: &_| keep::back_up(connection, &to);
        self.inner.readers.perform("making a backup", back_up).await
    }

    /// Drops the entries of a run from number `from` on: on purpose, where they do not read. The run goes on
    /// from what is left; what was asked in the entries that are gone is asked again, and an answer that no
    /// driver has taken yet goes with them. Gives how many entries were dropped.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] while somebody drives it; [`StoreError::Corrupt`]
    /// when an entry before does not read either, or is missing. A run can't be cut from its first entry on:
    /// [`remove`](Store::remove) it.
    pub async fn cut(&self, run: &RunId, from: u64) -> Result<u64, StoreError> {
        let run = run.clone();
        let cut = move |desk: &mut Desk| keep::cut(desk, &run, from);
        self.inner.writer.perform("cutting a journal", cut).await
    }

    async fn take(&self, run: &RunId) -> Result<Lease, StoreError> {
        // Gives the run back wherever this future is dropped.
        let guard = Guard { inner: Arc::clone(&self.inner), epoch: Arc::default() };
        let (epoch, wanted) = (Arc::clone(&guard.epoch), run.clone());
        let acquire = move |desk: &mut Desk| {
            desk.driven.forget_run(&wanted);
            // An attempt before this one was undone.
            desk.owners.let_go(epoch.swap(0, Ordering::AcqRel));
            let taken = lease::acquire(&desk.connection, &desk.owners, &wanted)?;
            epoch.store(taken, Ordering::Release);
            Ok(taken)
        };
        let taken = self.inner.writer.perform("taking a run", acquire).await?;
        Ok(Lease::new(run.clone(), taken, guard))
    }

    /// The summary with what no table says.
    fn summary(known: Known, owners: &Owners) -> RunSummary {
        let mut summary = known.summary;
        if let Some((owner, epoch)) = known.taken {
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

/// Gives a run back when it is dropped.
struct Guard {
    inner: Arc<Inner>,
    /// 0 until the run is taken.
    epoch: Arc<AtomicU64>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let epoch = Arc::clone(&self.epoch);
        self.inner.owners.let_go(epoch.load(Ordering::Acquire));
        self.inner.writer.give_back(epoch);
    }
}

impl Store for SqliteStore {
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(self.take(run))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let rows = records.iter().map(Row::new).collect::<Result<Vec<_>, _>>();
            let rows =
                rows.map_err(|error| failed(ADDING, ": it can't be written as JSON", error))?;
            let bytes = rows.iter().map(|row| row.bytes).sum();
            let (run, epoch) = (lease.run().clone(), lease.epoch());
            let append = move |desk: &mut Desk| journal::append(desk, &run, epoch, &records, &rows);
            self.inner.writer.perform_soon(ADDING, bytes, append).await
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
            at_one_moment(connection, |connection| journal::entries(connection, &run, from, limit))
        }))
    }

    fn last_whole<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
        let run = run.clone();
        let find = move |connection: &_| journal::last_whole(connection, &run, until);
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
        Box::pin(self.inner.readers.perform("looking at a run", move |connection| {
            Ok(runs::find(connection, &run)?.map(|known| Self::summary(known, &owners)))
        }))
    }

    fn answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let (run, key) = (run.clone(), key.clone());
            let leave = move |desk: &mut Desk| -> Result<(), Problem> {
                answers::leave(&desk.connection, &run, &key, &answer)
            };
            self.inner.writer.perform("leaving an answer", leave).await?;
            self.inner.watch.look();
            Ok(())
        })
    }

    fn answered<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>> {
        Box::pin(self.inner.watch.wait(run, key))
    }

    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        let remove = move |desk: &mut Desk| keep::remove(desk, &run);
        Box::pin(self.inner.writer.perform("forgetting a run", remove))
    }
}

const ADDING: &str = "adding to a journal";
