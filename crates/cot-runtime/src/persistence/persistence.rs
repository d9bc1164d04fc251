//! The state of the persistence of a run.

use std::{mem, time::Duration};

use cot_engine::{
    CallId, CallKey,
    internal::{Definition, IndexEvent},
};
use cot_store::RunId;

use crate::{
    persistence::{journal_writer::JournalWriter, open_run::OpenRun},
    runner::error::RunError,
};

/// The persistence of a run. It costs nothing for a run without a store.
pub(crate) enum Persistence {
    Disabled,
    /// The store is being read for an existing run.
    Opening(Box<OpenRun>),
    /// The journal of the run is being written.
    Writing(Box<JournalWriter>),
    /// The store failed, and the run was stopped.
    Failed(Box<(RunId, RunError)>),
}

impl Persistence {
    pub(crate) const fn is_enabled(&self) -> bool {
        !matches!(self, Self::Disabled)
    }

    pub(crate) const fn is_opening(&self) -> bool {
        matches!(self, Self::Opening(_))
    }

    pub(crate) fn run_id(&self) -> Option<&RunId> {
        match self {
            Self::Disabled => None,
            Self::Opening(opening) => Some(&opening.run),
            Self::Writing(journal) => Some(journal.run()),
            Self::Failed(failed) => Some(&failed.0),
        }
    }

    pub(crate) fn record_event(&mut self, event: &IndexEvent, process: &'static Definition) {
        if let Self::Writing(journal) = self {
            journal.record_run_event(event, process);
        }
    }

    /// Returns whether the driver must wait for a write.
    pub(crate) fn is_write_pending(&self) -> bool {
        matches!(self, Self::Writing(journal) if journal.is_blocked())
    }

    /// Returns whether everything before an open question is durable, and the store has no answer to it.
    pub(crate) fn has_written_up_to(&self, question: &CallKey) -> bool {
        match self {
            Self::Disabled => true,
            Self::Writing(journal) => {
                journal.is_all_written() && journal.answered.as_ref() != Some(question)
            }
            Self::Opening(_) | Self::Failed(_) => false,
        }
    }

    /// Returns whether the worker of the run shuts down.
    pub(crate) fn is_stopping(&self) -> bool {
        matches!(self, Self::Writing(journal) if journal.is_stopping())
    }

    pub(crate) fn remaining_time(&self, id: CallId, whole: Duration) -> Option<Duration> {
        if let Self::Writing(journal) = self { journal.remaining_time(id, whole) } else { None }
    }

    pub(crate) fn remaining_answer_time(
        &self,
        id: CallId,
        whole: Option<Duration>,
    ) -> Option<Duration> {
        if let Self::Writing(journal) = self {
            journal.remaining_answer_time(id, whole)
        } else {
            None
        }
    }

    /// Returns the part of the time limit of a question that elapsed in earlier drivers.
    pub(crate) fn elapsed_answer_time(&self, id: CallId, whole: Option<Duration>) -> Duration {
        let passed =
            whole.and_then(|whole| Some(whole.saturating_sub(self.remaining_time(id, whole)?)));
        passed.unwrap_or_default()
    }

    /// Lets go of the span of the run, and returns the error of the store that stopped the run.
    pub(crate) fn close_span(&mut self) -> Option<&RunError> {
        match self {
            Self::Writing(journal) => {
                journal.span = None;
                None
            }
            Self::Failed(failed) => Some(&failed.1),
            Self::Disabled | Self::Opening(_) => None,
        }
    }

    /// Takes the error of the store that stopped the run.
    pub(crate) fn take_error(&mut self) -> Option<RunError> {
        match mem::replace(self, Self::Disabled) {
            Self::Failed(failed) => Some(failed.1),
            other => {
                *self = other;
                None
            }
        }
    }

    pub(crate) fn close(&mut self) {
        if let Self::Writing(journal) = self {
            journal.close();
        }
    }
}
