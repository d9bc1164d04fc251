//! The question of a human task that is open.

use std::time::Duration;

use cot_engine::Directive;

use crate::{clock::Stopwatch, persistence::persistence::Persistence};

/// A question that waits for a person's answer.
pub(crate) struct OpenQuestion {
    pub(crate) directive: Directive,
    /// The part of the time limit that elapsed in earlier drivers.
    elapsed_before: Duration,
    /// Measures the time since this driver asked the question.
    stopwatch: Stopwatch,
}

impl OpenQuestion {
    /// Opens a question, with the remaining time of its limit.
    pub(super) fn new(directive: &Directive, persistence: &Persistence) -> Self {
        let Directive { id, timeout: whole, .. } = *directive;
        let elapsed_before = persistence.elapsed_answer_time(id, whole);
        let timeout = persistence.remaining_answer_time(id, whole).or(whole);
        let mut directive = directive.clone();
        directive.timeout = timeout;
        Self { directive, elapsed_before, stopwatch: Stopwatch::start() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed_before.saturating_add(self.stopwatch.elapsed())
    }
}
