//! The error of a change of a run from outside.

use crate::process::options::StartError;

/// The error of a rejected change of the state or the mock mode from outside. The run is unchanged.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The run is over, was dropped, or has not been started.
    #[error("the run is over, or has not been started: it can't be changed")]
    Over,
    /// A task is in progress. Changes are applied between two tasks only; the runner waits until then.
    #[error("a task is in progress: the run can be changed only between two tasks")]
    InTask,
    /// The mock mode names an unknown task, or a task that it selects has no mock.
    #[error("the mock mode can't be set")]
    MockMode(#[from] StartError),
    /// The change panicked.
    #[error("the change of the state failed: {0}")]
    Panicked(String),
}
