//! The trait of a store: the contract between a runner and the place of its journals.

use cot_engine::CallKey;
use cot_model::{BlobSet, BoxFuture, Digest};
use serde_json::Value;

use crate::{
    due::{DueFilter, DueRun},
    error::StoreError,
    lease::Lease,
    record::{Entry, Record},
    run_id::RunId,
    submission::Submission,
    summary::{RunFilter, RunSummary, SetAside},
};

/// A store of runs: one append-only journal per run.
///
/// A store appends and reads entries and does not interpret them. It keeps their order, makes them durable,
/// and lets one driver at a time append to a run. All methods may be called concurrently, from many tasks
/// and programs.
///
/// The future of a method that writes resolves once the data survives a crash of the program; each store
/// documents whether it also survives a crash of the machine. Dropping such a future does not undo the
/// write.
///
/// Times are stored in milliseconds, rounded down; a time before 1970 is stored as 1970.
///
/// Images and documents are stored apart from the snapshots that refer to them: the [`blobs`](Record::blobs)
/// of a record are durable together with it, and a store keeps each of them once for a run, however many
/// records contain it. The entries that it returns need not contain their bytes; [`blobs`](Self::blobs) reads
/// these.
pub trait Store: Send + Sync {
    /// Acquires the lease of a run. It is held until the [`Lease`] is dropped or its program dies.
    ///
    /// The run need not exist yet: its first entry creates it.
    ///
    /// A store that several programs share counts the programs that have died with a lease of the run, until
    /// its journal grows or a lease is released: [`Lease::crashes`].
    ///
    /// # Errors
    ///
    /// [`StoreError::Leased`] while another driver holds the lease.
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Appends records to the journal of a run in one transaction: all of them or none.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when another driver has acquired the run; [`StoreError::UnknownRun`] when
    /// the first record of a journal is neither [`Record::Submitted`] nor [`Record::Begun`], and
    /// [`StoreError::RunExists`] when a later record is one, except the start of a submitted run, as [`RunSummary::from_record`] and [`RunSummary::apply`] report; other errors when the store can't
    /// be written. Nothing is appended then.
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Reads the entries of a run from number `from` on, at most `limit` of them.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Corrupt`] for the first entry that can't be parsed.
    fn entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>>;

    /// Reads blobs of a run by their digests.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::MissingBlob`] for the first digest whose blob no record of the
    /// run contained; [`StoreError::CorruptBlob`] when the bytes have changed, as
    /// [`Blob::from_stored`](cot_model::Blob::from_stored) reports.
    fn blobs<'a>(
        &'a self,
        run: &'a RunId,
        digests: &'a [Digest],
    ) -> BoxFuture<'a, Result<BlobSet, StoreError>>;

    /// Returns the number of the last full snapshot at or before entry `until`; a run can be read from there
    /// on. The start of the run counts as one. Returns `None` for a run that does not exist or is queued.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn last_full_snapshot<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>>;

    /// Lists the runs that match a filter, newest first.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>>;

    /// Returns the summary of a run; `None` if the run does not exist.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>>;

    /// Stores a run that a worker will begin. Its status is [`Status::Queued`](crate::Status::Queued). Returns
    /// its name.
    ///
    /// # Errors
    ///
    /// [`StoreError::RunExists`] when there is a run of this name; other errors when the store can't be written.
    fn submit(&self, submission: Submission) -> BoxFuture<'_, Result<RunId, StoreError>>;

    /// Lists runs that need a driver and have none, those that have waited longest first: queued ones, running
    /// ones whose driver has ended or died, and waiting ones whose answer is stored or whose time has come, as
    /// [`RunSummary::due_at`] tells. Runs that are [set aside](Self::set_aside) need none.
    ///
    /// An answer that is stored at any time, also while a driver holds the lease, makes the run due until a
    /// driver takes it.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn due<'a>(&'a self, filter: &'a DueFilter) -> BoxFuture<'a, Result<Vec<DueRun>, StoreError>>;

    /// Sets a run aside: it is not [due](Self::due) any more, until [`retry`](Self::retry) puts it back or a
    /// driver that acquires it all the same appends to its journal. The [summary](RunSummary::set_aside) has
    /// the reason.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::LeaseLost`] when another driver has acquired the run; other
    /// errors when the store can't be written.
    fn set_aside<'a>(
        &'a self,
        lease: &'a Lease,
        reason: SetAside,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Puts a run back that was set aside, and forgets its [crashes](Lease::crashes). Returns whether it was
    /// set aside.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; other errors when the store can't be written.
    fn retry<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Stores an answer to the question that a run asks under `key`. The present or next driver of the run
    /// applies it. A later answer to the same question replaces one that was not applied yet.
    ///
    /// The answer is checked with [`RunSummary::check_answer`] before it is written. A `check` of the
    /// process may still reject it when the run applies it; the run then asks again, with the issues in its
    /// status.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::NotAsked`] when the run asks no question, asks another one,
    /// or has its answer already; [`StoreError::InvalidAnswer`] when the answer does not match the schema of
    /// the question.
    fn put_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Waits until a question has an answer, and returns the answer. The store keeps it until an event with
    /// this key is appended.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn wait_for_answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>>;

    /// Deletes a run, with the blobs that no other run refers to.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] while a driver holds its lease.
    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>>;
}
