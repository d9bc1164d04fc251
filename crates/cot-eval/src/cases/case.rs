//! A case of an eval.

use serde::Serialize;

/// A state to run a process from, and what is right.
///
/// `E` is what scorers compare with; `()` if the state and the end of a run are enough for them. `I` are the inputs of the
/// task that an [eval of one task](crate::Eval::for_task) runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Case<S, E = (), I = ()> {
    /// The name, by which reports are compared. Each case has another one.
    pub name: String,
    /// The state in which the run starts.
    pub state: S,
    /// The inputs of the task, if one task runs alone.
    pub inputs: I,
    /// What is right.
    pub expected: E,
    /// What the case is an example of. Reports have a row for each tag.
    pub tags: Vec<String>,
}

impl<S> Case<S> {
    /// Creates a case without tags.
    #[must_use]
    pub fn new(name: impl Into<String>, state: S) -> Self {
        Self { name: name.into(), state, inputs: (), expected: (), tags: Vec::new() }
    }
}

impl<S, E, I> Case<S, E, I> {
    /// Sets what is right.
    #[must_use]
    pub fn expect<F>(self, expected: F) -> Case<S, F, I> {
        let Self { name, state, inputs, tags, .. } = self;
        Case { name, state, inputs, expected, tags }
    }

    /// Sets the inputs of the task.
    #[must_use]
    pub fn with_inputs<J>(self, inputs: J) -> Case<S, E, J> {
        let Self { name, state, expected, tags, .. } = self;
        Case { name, state, inputs, expected, tags }
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }
}
