//! What a worker does with a run that could not be driven.

use cot_engine::{SnapshotError, StartError};
use cot_store::StoreError;

use crate::runner::error::RunError;

/// What a worker does with a run that could not be driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing: another driver has it, or it was removed.
    LeaveIt,
    /// Another version of the program drives it.
    Incompatible,
    /// The store is tried again.
    StoreFailed,
    /// The run is tried again, and set aside when it fails too often.
    TryAgain,
    /// The run is set aside, since it would fail again.
    SetAside,
}

impl Verdict {
    pub(super) const fn on_error(error: &RunError) -> Self {
        match error {
            RunError::Store(error) => Self::on_store_error(error),
            RunError::Snapshot(error) => Self::on_snapshot_error(error),
            // The version that made the calls of the journal can still drive the run.
            RunError::Diverged { .. } => Self::Incompatible,
            RunError::SubmittedState { .. } | RunError::Start(StartError::MissingGoal) => {
                Self::SetAside
            }
            _ => Self::TryAgain,
        }
    }

    const fn on_store_error(error: &StoreError) -> Self {
        match error {
            StoreError::Leased { .. }
            | StoreError::LeaseLost { .. }
            | StoreError::UnknownRun { .. } => Self::LeaveIt,
            StoreError::Corrupt { .. }
            | StoreError::MissingBlob { .. }
            | StoreError::CorruptBlob { .. } => Self::SetAside,
            StoreError::Uncommitted { .. } => Self::TryAgain,
            _ => Self::StoreFailed,
        }
    }

    const fn on_snapshot_error(error: &SnapshotError) -> Self {
        match error {
            SnapshotError::Format { .. }
            | SnapshotError::Incompatible { .. }
            | SnapshotError::UnreadableInputs { .. }
            // A migration is made for another version, which can still drive the run.
            | SnapshotError::InvalidMove { .. }
            | SnapshotError::Migration(_)
            | SnapshotError::MigrationPanicked(_) => Self::Incompatible,
            SnapshotError::NotASnapshot(_)
            | SnapshotError::Truncated { .. }
            | SnapshotError::UnreadableState { .. } => Self::SetAside,
            _ => Self::TryAgain,
        }
    }
}
