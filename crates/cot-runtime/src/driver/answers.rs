//! Answers and commands of handles.

use std::time::Duration;

use cot_engine::{Directive, Event, EventOutcome};

use crate::{driver::driver::Driver, runner::handle::SubmittedAnswer};

impl Driver {
    /// Submits an answer from a handle.
    pub(super) fn submit_answer(&mut self, SubmittedAnswer { value, ack }: SubmittedAnswer) {
        // The caller may know the question from the store, before this driver has asked it.
        let asked = self.question.take().map(|open| (open.elapsed(), open.directive));
        let unasked = || Some((Duration::ZERO, self.run.machine_mut().question()?));
        let Some((elapsed, Directive { id, key, .. })) = asked.or_else(unasked) else {
            return ack.send(EventOutcome::Stale);
        };
        self.in_flight.cancel(id);
        self.config.capture_answer(&key, &value);
        self.submit_event(Event::Answered { id, answer: value, elapsed }, Some(ack));
    }

    /// Rejects further commands of handles.
    pub(super) fn close(&self) {
        if let Some(control) = &self.control {
            control.close();
        }
    }
}
