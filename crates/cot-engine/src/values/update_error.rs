//! The error of a change of the state from outside.

/// Why a change of the state from outside was rejected. The state is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The run is over, was dropped, or has not been started.
    #[error("the run is over, or has not begun: its state can't be changed")]
    Over,
    /// The machine is at a task. A run applies changes between two tasks, and waits until then.
    #[error("the machine is at a task: its state can be changed between two tasks")]
    InTask,
    /// The change panicked.
    #[error("the change of the state failed: {0}")]
    Panicked(String),
}
