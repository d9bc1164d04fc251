//! The trait of a store: the contract between a runner and the place of its journals.

use std::{future, time::Duration};

use cot_engine::CallKey;
use cot_model::{BlobSet, BoxFuture, Digest};
use serde_json::Value;

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
    submission::Submission,
    summary::{RunSummary, SetAside},
    transaction::{Transaction, TransactionSupport},
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
    /// Acquires the lease of a run. It is held until the [`Lease`] is dropped or its program dies, or for
    /// a [time](Self::lease_time) if that is frozen.
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

    /// Returns how long a lease is worth something when its program is frozen or cut off from the store; another driver
    /// acquires the run after that time, and the first one gets [`StoreError::LeaseLost`]. A program that works renews
    /// its leases. `None` if leases end with their program alone, so that a frozen one keeps them.
    fn lease_time(&self) -> Option<Duration> {
        None
    }

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

    /// Returns what the store offers to functions with [`effect: transaction`](cot_engine::Effect::Transaction); `None` if
    /// it has no transactions for them, as by default.
    fn transactions(&self) -> Option<TransactionSupport> {
        None
    }

    /// Begins a transaction in which a function writes, and which appends to the journal of the run of the lease when it
    /// is committed. Nothing else may be appended to this run meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]; other errors when the transaction can't be begun, or the store has none.
    fn begin<'a>(
        &'a self,
        lease: &'a Lease,
    ) -> BoxFuture<'a, Result<Box<dyn Transaction>, StoreError>> {
        let what = format!("beginning a transaction for run `{}`", lease.run());
        let source = "the store has no transactions for functions".into();
        Box::pin(future::ready(Err(StoreError::Failed { what, source })))
    }

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

    /// Lists the runs that match a filter, in its order.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>>;

    /// Returns the number of the runs that match a filter, whatever its offset and limit.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn count<'a>(&'a self, filter: &'a RunFilter) -> BoxFuture<'a, Result<u64, StoreError>>;

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

    /// Waits until another program, or this one, has made a run due, as far as the store is notified. A store
    /// need not be notified of any, and is not of runs whose time has come or whose driver has died: workers also look
    /// at [intervals](Self::poll_interval).
    fn wait_for_due(&self) -> BoxFuture<'_, ()> {
        Box::pin(future::pending())
    }

    /// Returns how often a worker looks for due runs, unless it has an interval of its own.
    fn poll_interval(&self) -> Duration {
        Duration::from_millis(250)
    }

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

    /// Puts all runs that are set aside and match a filter back, and returns them. The filter's
    /// [`is_set_aside`](RunFilter::is_set_aside) is ignored.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read or written.
    fn retry_all<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunId>, StoreError>> {
        Box::pin(async move {
            let filter = RunFilter { is_set_aside: Some(true), ..filter.clone() };
            let mut retried = Vec::new();
            for RunSummary { run, .. } in self.runs(&filter).await? {
                match self.retry(&run).await {
                    // It was retried, or deleted, meanwhile.
                    Ok(false) | Err(StoreError::UnknownRun { .. }) => {}
                    other => other.map(|_| retried.push(run))?,
                }
            }
            Ok(retried)
        })
    }

    /// Stores an answer to the question that a run asks under `key`. The present or next driver of the run
    /// applies it. A later answer to the same question replaces one that was not applied yet.
    ///
    /// The answer is checked with [`RunSummary::check_answer`] before it is written. A `check` of the
    /// process may still reject it when the run applies it, and so may the rules of its type if this program does
    /// not know the process; the run then asks again, with the issues in its status.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::NotAsked`] when the run asks no question, asks another one,
    /// or has its answer already; [`StoreError::InvalidAnswer`] when the answer does not match the schema of
    /// the question or breaks a rule of its type.
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

    /// Requests that a run is cancelled. Its present or next driver applies the request, before anything else,
    /// and the run ends; a run without a driver is [due](Self::due) until then. The
    /// [summary](RunSummary::cancel_requested) shows the request as long as it is not applied. A run that was
    /// [set aside](Self::set_aside) is put back, as [`retry`](Self::retry) does. Of several requests, the first
    /// counts.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::HasEnded`]; other errors when the store can't be written.
    fn request_cancel<'a>(
        &'a self,
        run: &'a RunId,
        request: CancelRequest,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Waits until there is a request to cancel the run that no driver has applied yet, and returns the
    /// request. The run need not exist yet.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn wait_for_cancel<'a>(
        &'a self,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<CancelRequest, StoreError>>;

    /// Returns what the runs have spent, by day, process, task and engine, in the order of
    /// [`Spending::compare`]: the sums of [`Spending::from_record`] over all records that were ever appended. What
    /// runs have spent that were [removed](Self::remove) still counts.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn spending<'a>(
        &'a self,
        filter: &'a SpendingFilter,
    ) -> BoxFuture<'a, Result<Vec<Spending>, StoreError>>;

    /// Stores the description of a process. It replaces that of another version.
    ///
    /// # Errors
    ///
    /// An error when the store can't be written.
    fn put_process<'a>(
        &'a self,
        description: &'a ProcessDescription,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns the description of the process with this name that was stored last; `None` if there is none.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn process<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<ProcessDescription>, StoreError>>;

    /// Lists the descriptions of all processes that [`process`](Self::process) returns, by name.
    ///
    /// # Errors
    ///
    /// An error when the store can't be read.
    fn processes(&self) -> BoxFuture<'_, Result<Vec<ProcessDescription>, StoreError>>;

    /// Shows the beginning of a reply that is still being received, for [`drafts`](Self::drafts). It replaces the
    /// earlier draft of the call; an [empty](Draft::is_empty) one removes it. It is gone when an event with the key
    /// of the call is appended, when the run ends, and when the lease is released.
    ///
    /// Drafts are not durable, and a store may keep none: this one does so by default.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when another driver has acquired the run; other errors when the draft can't be
    /// written. The run does not depend on it.
    fn put_draft<'a>(
        &'a self,
        lease: &'a Lease,
        draft: Draft,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let _ = (lease, draft);
        Box::pin(future::ready(Ok(())))
    }

    /// Lists the drafts of a run, by their keys. A run that does not exist has none.
    ///
    /// # Errors
    ///
    /// An error when the drafts can't be read.
    fn drafts<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Vec<Draft>, StoreError>> {
        let _ = run;
        Box::pin(future::ready(Ok(Vec::new())))
    }

    /// Deletes a run, with the blobs that no other run refers to. What it has [spent](Self::spending) is kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] while a driver holds its lease.
    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>>;
}
