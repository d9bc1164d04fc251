//! The calls that a run waits for, and every question about them.

use std::fmt;

use super::directive::CallId;

/// What answers an open call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answerer {
    Model,
    Person,
    /// A function, a timer, or a mock.
    Other,
}

/// The open calls of a run, or of a part of it.
pub trait OpenCalls: fmt::Debug {
    /// Passes each open call to `visit`.
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer));

    /// Returns whether a call is open.
    fn contain(&self, id: CallId) -> bool {
        let mut is_open = false;
        self.visit(&mut |open, _| is_open |= open == id);
        is_open
    }

    /// Returns how many calls are open.
    fn counts(&self) -> OpenCounts {
        let mut counts = OpenCounts::default();
        self.visit(&mut |_, answerer| {
            counts.all += 1;
            counts.models += u64::from(answerer == Answerer::Model);
            counts.people += usize::from(answerer == Answerer::Person);
        });
        counts
    }
}

/// How many calls are open.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenCounts {
    pub all: usize,
    /// Calls of models. Budgets count them before their usage is known.
    pub models: u64,
    /// Questions to people.
    pub people: usize,
}

impl OpenCounts {
    /// Returns the counts after a part of them has changed.
    pub(crate) const fn replace(self, before: Self, after: Self) -> Self {
        Self {
            all: self.all - before.all + after.all,
            models: self.models - before.models + after.models,
            people: self.people - before.people + after.people,
        }
    }
}

/// No open calls.
#[derive(Debug)]
pub(crate) struct NoCalls;

impl OpenCalls for NoCalls {
    fn visit(&self, _: &mut dyn FnMut(CallId, Answerer)) {}
}

/// One open call that is neither of a model nor of a person.
impl OpenCalls for CallId {
    fn visit(&self, visit: &mut dyn FnMut(Self, Answerer)) {
        visit(*self, Answerer::Other);
    }
}
