//! Tasks that run branches at the same time.

use crate::process::tables::TaskIndex;

/// The plain data of a task that runs branches. They join at the target of its `next`.
#[derive(Debug, Clone, Copy)]
pub struct ParallelDefinition {
    /// When the task is done.
    pub join: Join,
    /// The first task of each branch.
    pub branches: &'static [TaskIndex],
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
