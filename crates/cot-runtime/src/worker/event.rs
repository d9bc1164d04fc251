//! The events of a worker.

use std::{fmt, time::Duration};

use cot_schema::internal::sentence;
use cot_store::{EndKind, RunId, StoreError};

use crate::runner::error::RunError;

/// An event of a worker, which its [observers](crate::Worker::observe) receive. The events of the runs
/// themselves are those of the observers of each runner.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkerEvent {
    /// The worker has acquired a run and drives it.
    Claimed {
        /// The run.
        run: RunId,
        /// The process.
        process: String,
        /// How many programs have died while they drove the run from the same entry of its journal.
        crashes: u32,
    },
    /// The run waits for a person or a timer. It is in memory no more, and any worker continues it when its
    /// answer is stored or its time has come.
    Parked {
        /// The run.
        run: RunId,
    },
    /// The run has ended.
    Ended {
        /// The run.
        run: RunId,
        /// How it ended.
        how: EndKind,
        /// The reason, if it did not succeed; else empty.
        why: String,
    },
    /// The worker shuts down and has released the run, at a durable point or when the time for that was over.
    Released {
        /// The run.
        run: RunId,
    },
    /// The run could not be resumed, its driver panicked, or what a function has written can't be committed. The worker
    /// tries again.
    Failed {
        /// The run.
        run: RunId,
        /// The error.
        error: RunError,
        /// When the worker tries again, from now on.
        retry_in: Duration,
    },
    /// The run was set aside: no worker drives it until
    /// [`Store::retry`](cot_store::Store::retry) puts it back.
    SetAside {
        /// The run.
        run: RunId,
        /// The reason.
        why: String,
    },
    /// The run can only be driven by another version of this program. This worker leaves it alone until its
    /// journal grows.
    Incompatible {
        /// The run.
        run: RunId,
        /// The differences: [`RunError::Snapshot`] or [`RunError::Diverged`].
        error: RunError,
    },
    /// The store failed. The worker tries again, and the run, if there is one, is as it was last written.
    StoreFailed {
        /// The run that was being acquired or driven; `None` if no run was.
        run: Option<RunId>,
        /// The error.
        error: StoreError,
        /// When the worker tries again, from now on.
        retry_in: Duration,
    },
}

impl fmt::Display for WorkerEvent {
    /// Writes one line, with the error and its sources.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Claimed { run, process, crashes: 0 } => write!(f, "{run} ({process}) is driven"),
            Self::Claimed { run, process, crashes: 1 } => {
                write!(f, "{run} ({process}) is driven, after a crash")
            }
            Self::Claimed { run, process, crashes } => {
                write!(f, "{run} ({process}) is driven, after {crashes} crashes")
            }
            Self::Parked { run } => write!(f, "{run} waits"),
            Self::Ended { run, how, why } if why.is_empty() => write!(f, "{run} ended: {how}"),
            Self::Ended { run, how, why } => write!(f, "{run} ended: {how}, {why}"),
            Self::Released { run } => write!(f, "{run} is released"),
            Self::Failed { run, error, .. } => write!(f, "{run} failed: {}", sentence(error)),
            Self::SetAside { run, why } => write!(f, "{run} is set aside: {why}"),
            Self::Incompatible { run, error } => {
                write!(f, "{run} needs another version of this program: {}", sentence(error))
            }
            Self::StoreFailed { run: None, error, .. } => {
                write!(f, "the store failed: {}", sentence(error))
            }
            Self::StoreFailed { run: Some(run), error, .. } => {
                write!(f, "the store failed for {run}: {}", sentence(error))
            }
        }
    }
}
