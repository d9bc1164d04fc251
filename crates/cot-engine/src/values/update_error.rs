//! Changes of the state from outside that are refused.

/// Why a change of the state from outside was not made. Nothing of the state has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The run is over, or was dropped, or has not begun.
    #[error("the run is over, or has not begun: its state can't be changed")]
    Over,
    /// The machine is at a task. A run applies changes between two tasks, and waits until then.
    #[error("the machine is at a task: its state can be changed between two tasks")]
    InTask,
    /// The change panicked.
    #[error("the change of the state failed: {0}")]
    Panicked(String),
}
