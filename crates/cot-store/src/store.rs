//! The contract between a runner and the place where journals are kept.

use cot_engine::CallKey;
use cot_model::BoxFuture;
use serde_json::Value;

use crate::{
    error::StoreError,
    lease::Lease,
    record::{Entry, Record},
    run_id::RunId,
    summary::{RunFilter, RunSummary},
};

/// Keeps runs: the contract between a runner and a place where journals are kept.
///
/// A store is dumb on purpose. It keeps entries in order, durably, and sees to it that one driver at a time
/// adds to a run; what entries mean is the runner's business. All methods may be called from many tasks and
/// programs at once.
///
/// The future of a method that writes resolves once what was written survives a crash of the program; how
/// much of the machine may crash is the store's to say. Dropping such a future does not undo the writing.
///
/// Times are kept to the millisecond, rounded down; one before 1970 counts as 1970.
pub trait Store: Send + Sync {
    /// Takes the run for this driver, until the lease is dropped or its program dies.
    ///
    /// The run need not exist yet: it does from its first entry on.
    ///
    /// # Errors
    ///
    /// [`StoreError::Leased`] while somebody else drives the run.
    fn acquire<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Adds records to the journal of a run: all or none, in one transaction.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when the run has been taken by somebody else;
    /// [`StoreError::UnknownRun`] when a journal does not begin with [`Record::Begun`], and
    /// [`StoreError::RunExists`] when one does so twice, as [`RunSummary::of`] and [`RunSummary::apply`] say;
    /// and whatever keeps the store from writing. Nothing was added then.
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The entries of a run from number `from` on, at most `limit` of them.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Corrupt`] at the first entry that does not read.
    fn entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Entry>, StoreError>>;

    /// The number of the last entry that holds the whole of the run, not after number `until`: from there,
    /// a run can be read. `None` for a run that does not exist.
    ///
    /// # Errors
    ///
    /// What keeps the store from reading.
    fn last_whole<'a>(
        &'a self,
        run: &'a RunId,
        until: u64,
    ) -> BoxFuture<'a, Result<Option<u64>, StoreError>>;

    /// The runs that a filter lets through, the newest first.
    ///
    /// # Errors
    ///
    /// What keeps the store from reading.
    fn runs<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Vec<RunSummary>, StoreError>>;

    /// One run; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// What keeps the store from reading.
    fn run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<Option<RunSummary>, StoreError>>;

    /// Leaves an answer for the person's question that a run asks under `key`. Whoever drives the run, now or
    /// later, takes it. A later answer to the same question replaces one that was not taken yet.
    ///
    /// The answer is checked with [`RunSummary::check_answer`] before it is written. A `check` of the process
    /// may still refuse it, when the run takes it; the run asks again then, with the issues in its status.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::NotAsked`] when the run asks nothing, or something else, or has
    /// got its answer; [`StoreError::InvalidAnswer`] when the answer does not fit the schema of the question.
    fn answer<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
        answer: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The answer that somebody left for a question: waits until there is one. It stays until the entry of an
    /// event with this key is appended.
    ///
    /// # Errors
    ///
    /// What keeps the store from reading.
    fn answered<'a>(
        &'a self,
        run: &'a RunId,
        key: &'a CallKey,
    ) -> BoxFuture<'a, Result<Value, StoreError>>;

    /// Forgets a run.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; [`StoreError::Leased`] while somebody drives it.
    fn remove<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>>;
}
