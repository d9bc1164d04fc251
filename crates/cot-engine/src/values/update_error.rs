//! The error of a change of the state from outside.

/// The error of a rejected change of the state from outside. The state is unchanged.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The run is over, was dropped, or has not been started.
    #[error("the run is over, or has not been started: its state can't be changed")]
    Over,
    /// A task is in progress. Changes are applied between two tasks only; the runner waits until then.
    #[error("a task is in progress: the state can be changed only between two tasks")]
    InTask,
    /// The change panicked.
    #[error("the change of the state failed: {0}")]
    Panicked(String),
}

cot_schema::debug_as_sentence!(UpdateError);
