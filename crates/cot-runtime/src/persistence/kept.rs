//! The state of the persistence of a run.

use std::time::Duration;

use cot_engine::{CallId, RunEvent, TaskId};
use cot_store::RunId;

use crate::{
    persistence::{journal::Journal, opening::Opening},
    runner::error::RunError,
};

/// The persistence of a run. It costs nothing for a run without a store.
pub(crate) enum Kept {
    Nowhere,
    /// The store is being read for an existing run.
    Opening(Box<Opening>),
    In(Box<Journal>),
    /// The store failed, and the run was stopped.
    Failed(Box<(RunId, RunError)>),
}

impl Kept {
    pub(crate) const fn is_somewhere(&self) -> bool {
        !matches!(self, Self::Nowhere)
    }

    pub(crate) fn run_id(&self) -> Option<&RunId> {
        match self {
            Self::Nowhere => None,
            Self::Opening(opening) => Some(&opening.run),
            Self::In(journal) => Some(journal.run()),
            Self::Failed(failed) => Some(&failed.0),
        }
    }

    pub(crate) fn note<T: TaskId, O>(&mut self, event: &RunEvent<T, O>) {
        if let Self::In(journal) = self {
            journal.note(event);
        }
    }

    /// Returns whether the driver must wait for a write.
    pub(crate) fn is_writing(&self) -> bool {
        matches!(self, Self::In(journal) if journal.is_barrier())
    }

    pub(crate) fn left(&self, id: CallId, whole: Duration) -> Option<Duration> {
        if let Self::In(journal) = self { journal.left(id, whole) } else { None }
    }

    pub(crate) fn left_for_person(&self, id: CallId, whole: Option<Duration>) -> Option<Duration> {
        if let Self::In(journal) = self { journal.left_for_person(id, whole) } else { None }
    }

    /// Returns the part of the time limit of a question that elapsed in earlier drivers.
    pub(crate) fn passed_for_person(&self, id: CallId, whole: Option<Duration>) -> Duration {
        let passed = whole.and_then(|whole| Some(whole.saturating_sub(self.left(id, whole)?)));
        passed.unwrap_or_default()
    }

    pub(crate) fn close(&mut self) {
        if let Self::In(journal) = self {
            journal.close();
        }
    }
}
