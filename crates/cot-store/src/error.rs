//! What can go wrong with a store.

use std::error::Error;

use cot_engine::CallKey;
use cot_schema::Issues;

use crate::run_id::RunId;

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The run does not exist.
    #[error("there is no run `{run}`")]
    UnknownRun {
        /// The run.
        run: RunId,
    },
    /// A run of this name exists already.
    #[error("there is a run `{run}` already")]
    RunExists {
        /// The run.
        run: RunId,
    },
    /// The run did not come so far, or is a fork that begins later.
    #[error("there is no step {step} in the journal of run `{run}`, which has {first} to {last}")]
    UnknownStep {
        /// The run.
        run: RunId,
        /// The step that was asked for.
        step: u64,
        /// The steps that had been made where the journal begins.
        first: u64,
        /// The steps that have been made by now.
        last: u64,
    },
    /// Somebody else drives the run.
    #[error("run `{run}` is driven by {by}")]
    Leased {
        /// The run.
        run: RunId,
        /// Who, in words.
        by: String,
    },
    /// Somebody else has taken the run since.
    #[error("run `{run}` was taken by somebody else: this driver may not go on with it")]
    LeaseLost {
        /// The run.
        run: RunId,
    },
    /// The run does not ask what was answered.
    #[error("run `{run}` does not ask `{key}`")]
    NotAsked {
        /// The run.
        run: RunId,
        /// What was answered.
        key: CallKey,
    },
    /// The answer is none to the question that the run asks. Nothing was written, and the question stands.
    #[error("the answer to `{key}` of run `{run}` is not valid: {issues}")]
    InvalidAnswer {
        /// The run.
        run: RunId,
        /// What was answered.
        key: CallKey,
        /// What is wrong with the answer.
        issues: Issues,
    },
    /// What is stored can't be read as what it should be.
    #[error("entry {entry} of run `{run}` does not read")]
    Corrupt {
        /// The run.
        run: RunId,
        /// The number of the entry.
        entry: u64,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no room left.
    #[error("the store is full; nothing was written, and what was written before is kept")]
    Full {
        /// What was said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The store can't be written to.
    #[error("the store is read-only")]
    ReadOnly {
        /// What was said.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Anything else that went wrong in the store.
    #[error("the store failed: {what}")]
    Failed {
        /// What was being done.
        what: String,
        /// What was said.
        source: Box<dyn Error + Send + Sync>,
    },
}
