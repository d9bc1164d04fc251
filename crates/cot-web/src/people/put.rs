//! Stores the answers of forms: the only way from a form into the store.

use std::time::Duration;

use cot_store::{RunId, RunSummary, StoreError};
use serde_json::Value;

use super::{
    question::OpenQuestion,
    recent::{self, RecentForms},
    too_late,
};
use crate::{error::PageError, fields::Fields, frame::time::rough, visit::Visit};

/// A form with an answer, to one question or to several.
pub(super) struct PostedForm<'a> {
    visit: &'a Visit,
    recent: &'a RecentForms,
    hash: u64,
}

/// The reason why an answer is not stored.
pub(super) enum Refusal {
    /// Another answer was stored first.
    Answered,
    /// The time for an answer ended so long ago.
    Overdue(Duration),
    /// The run does not ask the question any more.
    Closed,
    /// The store refused the answer, or failed.
    Store(StoreError),
}

impl<'a> PostedForm<'a> {
    pub(super) fn new(visit: &'a Visit, recent: &'a RecentForms, fields: &Fields) -> Self {
        Self { visit, recent, hash: recent::hash(fields) }
    }

    /// Returns whether the answer of this form to a run was stored already, which means that it was posted twice.
    pub(super) fn is_stored(&self, run: &RunId) -> bool {
        self.recent.contains(recent::hash_for(self.hash, run))
    }

    /// Stores an answer, in the place of another one only if it `replaces` that.
    ///
    /// # Errors
    ///
    /// The reason why it is not stored.
    pub(super) async fn store(
        &self,
        question: &OpenQuestion<'_>,
        answer: Value,
        replaces: bool,
    ) -> Result<(), Refusal> {
        let run = &question.run.run;
        if question.run.is_answered && !replaces {
            return Err(Refusal::Answered);
        }
        if let Some(late) = question.overdue(self.visit.now()) {
            return Err(Refusal::Overdue(late));
        }
        let this = recent::hash_for(self.hash, run);
        self.recent.add(this);
        let stored = self.visit.store().put_answer(run, question.key, answer).await;
        stored.map_err(|error| {
            self.recent.remove(this);
            match error {
                StoreError::NotAsked { .. } => Refusal::Closed,
                error => Refusal::Store(error),
            }
        })
    }
}

impl Refusal {
    /// Returns the page of an answer that is not stored. `run` is as it is now.
    pub(super) fn page(self, visit: &Visit, run: &RunSummary) -> PageError {
        match self {
            Self::Answered => {
                let what = "Somebody has answered it meanwhile, and that answer is stored.";
                too_late::page(visit, run, what)
            }
            Self::Overdue(late) => too_late::overdue(visit, run, late),
            Self::Closed => too_late::page(visit, run, too_late::CLOSED),
            Self::Store(error) => error.into(),
        }
    }

    /// Says in one line why an answer is not stored. `run` is as it is now.
    pub(super) fn line(self, run: &RunSummary) -> String {
        match self {
            Self::Answered => "Another answer is stored, which was not replaced.".to_owned(),
            Self::Overdue(late) => format!("The time for an answer ended {} ago.", rough(late)),
            Self::Closed => format!("{} {}", too_late::CLOSED, too_late::now(run)),
            Self::Store(error) => PageError::from(error).line(),
        }
    }
}
