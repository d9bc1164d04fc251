//! When the groups of a for-each task and of a parallel task are done.

/// What a for-each task does with items that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collect {
    /// The first one fails the task.
    All,
    /// They are collected, as errors beside the outputs.
    Ok,
}

/// When a task that runs branches is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// When every branch has reached the join. A branch that fails cancels the others and fails the task.
    All,
    /// When the first branch has reached the join. The others are cancelled, and what they have committed stays.
    /// The task fails when every branch has failed.
    Any,
    /// When every branch has reached the join or failed.
    Settled,
}

impl Join {
    /// Returns the name of the mode in declarations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::Settled => "settled",
        }
    }
}
