//! A case of an eval.

use serde::Serialize;

/// A state to run a process from, and what is right.
///
/// `E` is what scorers compare with; `()` if the state and the end of a run are enough for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Case<S, E = ()> {
    /// The name, by which reports are compared. Each case has another one.
    pub name: String,
    /// The state in which the run starts.
    pub state: S,
    /// What is right.
    pub expected: E,
    /// What the case is an example of. Reports have a row for each tag.
    pub tags: Vec<String>,
}

impl<S> Case<S> {
    /// Creates a case without tags.
    #[must_use]
    pub fn new(name: impl Into<String>, state: S) -> Self {
        Self { name: name.into(), state, expected: (), tags: Vec::new() }
    }
}

impl<S, E> Case<S, E> {
    /// Sets what is right.
    #[must_use]
    pub fn expect<F>(self, expected: F) -> Case<S, F> {
        Case { name: self.name, state: self.state, expected, tags: self.tags }
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }
}
