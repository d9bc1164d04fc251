//! The error of a worker.

use cot_store::StoreError;

use crate::runner::error::RunError;

/// The error of a worker that can't begin to work. Once it works, the failure of a run or of the store is a
/// [`WorkerEvent`](crate::worker::event::WorkerEvent).
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// A runner is not complete, for instance because a model is missing.
    #[error("the worker can't drive the process `{process}`")]
    Process {
        /// The process.
        process: &'static str,
        /// The error of the runner.
        source: Box<RunError>,
    },
    /// The worker has two runners for processes of the same name.
    #[error("the worker has two runners for the process `{process}`")]
    SameProcess {
        /// The process.
        process: &'static str,
    },
    /// The store failed. Only [`Worker::run_until_idle`](crate::Worker::run_until_idle) ends with it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

cot_schema::debug_as_sentence!(WorkerError);
