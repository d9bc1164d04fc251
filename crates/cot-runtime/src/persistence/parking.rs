//! How long a run waits, and whether its worker may drop it from memory meanwhile.

use std::time::Duration;

use cot_engine::{CallId, CallKey};

use crate::{clock, persistence::journal_writer::JournalWriter};

/// The minimum remaining time of a question in a resumed run: an answer in time may still have to be read.
const MIN_ANSWER_TIME: Duration = Duration::from_secs(1);

/// The remaining time of a wait up to which a run stays in the memory of its worker.
pub(super) const MIN_PARKED_TIME: Duration = Duration::from_secs(1);

impl JournalWriter {
    /// Returns the remaining time of a wait that started in an earlier driver. It is at most `whole`, even
    /// if the clock was set back.
    pub(crate) fn remaining_time(&self, id: CallId, whole: Duration) -> Option<Duration> {
        let wait = self.waits.find(id).filter(|wait| wait.is_resumed)?;
        Some(wait.until?.duration_since(clock::now()).unwrap_or_default().min(whole))
    }

    /// Returns the remaining time of a question that was asked in an earlier driver, at least
    /// [`MIN_ANSWER_TIME`].
    pub(crate) fn remaining_answer_time(
        &self,
        id: CallId,
        whole: Option<Duration>,
    ) -> Option<Duration> {
        self.remaining_time(id, whole.unwrap_or(Duration::MAX))
            .map(|left| left.max(MIN_ANSWER_TIME))
    }

    pub(crate) fn is_all_written(&self) -> bool {
        self.write.is_none() && self.pending.is_empty()
    }

    /// Makes the run wait until all records are durable. Returns whether some are not.
    pub(crate) fn must_write(&mut self) -> bool {
        self.is_blocked = !self.is_all_written();
        self.is_blocked
    }

    /// Returns whether the worker of the run shuts down.
    pub(crate) fn is_stopping(&self) -> bool {
        self.supervision.as_ref().is_some_and(|worker| worker.is_stopping())
    }

    /// Returns whether a worker drives the run, and the run is in a durable wait that is long enough to drop it
    /// from memory. `question` is the key of its question, if it asks one.
    pub(crate) fn may_park(&self, question: Option<&CallKey>) -> bool {
        let is_answered = question.is_some() && self.answered.as_ref() == question;
        self.supervision.is_some()
            && !is_answered
            && self.is_all_written()
            && self.waits.are_longer_than(MIN_PARKED_TIME, clock::now())
    }

    /// Returns the number of directives that are long waits.
    pub(crate) fn waits(&self) -> usize {
        self.waits.timers().len() + usize::from(self.waits.question().is_some())
    }
}
