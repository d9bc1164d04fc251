//! The errors of stores.

use std::error::Error;

use cot_engine::CallKey;
use cot_model::{Digest, DigestMismatchError};
use cot_schema::Issues;

use crate::run_id::RunId;

/// An error of a store.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The run does not exist.
    #[error("there is no run `{run}`")]
    UnknownRun {
        /// The run.
        run: RunId,
    },
    /// A run with this name exists already.
    #[error("there is a run `{run}` already")]
    RunExists {
        /// The run.
        run: RunId,
    },
    /// The run was submitted and has not begun yet.
    #[error("run `{run}` is queued: no worker has begun it yet")]
    NotBegun {
        /// The run.
        run: RunId,
    },
    /// The run has ended, so that it can't be cancelled.
    #[error("run `{run}` has ended")]
    HasEnded {
        /// The run.
        run: RunId,
    },
    /// The journal of the run does not contain this step: the run has not reached it, or is a fork of a
    /// later step.
    #[error("there is no step {step} in the journal of run `{run}`, which has {first} to {last}")]
    UnknownStep {
        /// The run.
        run: RunId,
        /// The requested step.
        step: u64,
        /// The number of steps at the start of the journal.
        first: u64,
        /// The number of steps at the end of the journal.
        last: u64,
    },
    /// Another driver holds the lease of the run.
    #[error("run `{run}` is driven by {by}")]
    Leased {
        /// The run.
        run: RunId,
        /// A description of the other driver.
        by: String,
    },
    /// Another driver has acquired the run since.
    #[error("run `{run}` was acquired by another driver: this one can no longer write to it")]
    LeaseLost {
        /// The run.
        run: RunId,
    },
    /// The run does not ask the question that was answered.
    #[error("run `{run}` does not ask `{key}`")]
    NotAsked {
        /// The run.
        run: RunId,
        /// The key of the question.
        key: CallKey,
    },
    /// The answer does not match the schema of the question. Nothing was written, and the question stays
    /// open.
    #[error("the answer to `{key}` of run `{run}` is not valid: {issues}")]
    InvalidAnswer {
        /// The run.
        run: RunId,
        /// The key of the question.
        key: CallKey,
        /// The reasons why the answer is not valid.
        issues: Issues,
    },
    /// An entry of a journal can't be parsed.
    #[error("entry {entry} of run `{run}` can't be read")]
    Corrupt {
        /// The run.
        run: RunId,
        /// The number of the entry.
        entry: u64,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store does not have the bytes of an image or a document.
    #[error("the blob `{digest}` of run `{run}` is missing")]
    MissingBlob {
        /// The run.
        run: RunId,
        /// The digest of the blob.
        digest: Digest,
    },
    /// The bytes of an image or a document were changed in the store.
    #[error("a blob of run `{run}` is damaged")]
    CorruptBlob {
        /// The run.
        run: RunId,
        /// The digest of the blob, and that of the bytes in the store.
        source: DigestMismatchError,
    },
    /// The disk or quota of the store is full.
    #[error("the store is full; nothing was written, and what was written before is kept")]
    Full {
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store does not allow writes.
    #[error("the store is read-only")]
    ReadOnly {
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The place of the store has no store: a file of another kind, or of another program.
    #[error("the store failed: {what}: this is no store")]
    NotAStore {
        /// The operation that failed.
        what: String,
        /// What the place has instead.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store is of a version that this program can't use: a newer one, or an older one that was to be opened
    /// without changing it.
    #[error(
        "the store failed: {what}: its schema has version {version}, and this program needs version {supported}"
    )]
    UnsupportedVersion {
        /// The operation that failed.
        what: String,
        /// The version of the store.
        version: u32,
        /// The version of the stores that this program writes.
        supported: u32,
        /// What can be done.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Another program kept the store locked for too long. The operation may be repeated.
    #[error("the store failed: {what}: another program kept the database locked for too long")]
    Locked {
        /// The operation that failed.
        what: String,
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store can't be reached: its server does not run, or the network is cut. The operation may be repeated.
    #[error("the store failed: {what}: its server can't be reached")]
    Unreachable {
        /// The operation that failed.
        what: String,
        /// The error of the connection.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The user of the connection lacks a right.
    #[error("the store failed: {what}: its user lacks a right")]
    Denied {
        /// The operation that failed.
        what: String,
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store was deleted, or another one has taken its place, while it was open. It must be opened again.
    #[error("the store failed: {what}")]
    Gone {
        /// The operation that failed, and what has happened to the store.
        what: String,
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// What a function with [`effect: transaction`](cot_engine::Effect::Transaction) has written can't be committed. Nothing
    /// was written.
    #[error("the store failed: {what}: it can't be committed, and was rolled back")]
    Uncommitted {
        /// The operation that failed.
        what: String,
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Any other failure of the store.
    #[error("the store failed: {what}")]
    Failed {
        /// The operation that failed.
        what: String,
        /// The error of the storage.
        source: Box<dyn Error + Send + Sync>,
    },
}

cot_schema::debug_as_sentence!(StoreError);
