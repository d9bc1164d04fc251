//! Why a run has no answer.

use std::{ops::Deref, sync::Arc, time::Duration};

use cot_engine::{Budget, HaltReason};
use cot_model::ModelError;
use cot_runtime::RunError;
use cot_schema::Issues;

/// Why a run ended without an answer. The context keeps the work until then.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The model failed.
    #[error("the model failed")]
    Model(#[from] ModelError),
    /// The last reply was unusable, and no retries were left: it could not be parsed, or requested *stop*
    /// without an answer.
    #[error("the last reply was unusable: {0}")]
    Unreadable(Issues),
    /// The token limit cut off a reply.
    #[error("the token limit cut off a reply")]
    Truncated,
    /// The model refused to answer.
    #[error("the model refused to answer")]
    Refused,
    /// The run reached its limit of steps. Another call of `run` continues the context; a run in a store
    /// continues with a higher limit.
    #[error("the run reached its limit of {limit} steps")]
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// The run used up its budget. Another call of `run` continues the context.
    #[error("the run used up its budget: {0}")]
    Budget(Budget),
    /// The run reached its time limit. Another call of `run` continues the context.
    #[error("the run took longer than {0:?}")]
    TimedOut(Duration),
    /// The run halted for another reason.
    #[error("the run halted: {0}")]
    Halted(HaltReason),
    /// The model can't call a tool by this name.
    #[error(
        "`{name}` is not a valid name of a tool: use a word other than `continue` and `stop`, without surrounding spaces"
    )]
    ToolName {
        /// The name.
        name: String,
    },
    /// The run could not be started, resumed or stored, or nobody can give the approval that a tool needs.
    #[error("the run could not be started, resumed or stored")]
    Run(#[source] SharedRunError),
}

cot_schema::debug_as_sentence!(ChainError, SharedRunError);

/// The error of a run, which is shared by its clones. Two errors are equal if they have the same text.
#[derive(Clone, thiserror::Error)]
#[error(transparent)]
pub struct SharedRunError(Arc<RunError>);

impl Deref for SharedRunError {
    type Target = RunError;

    fn deref(&self) -> &RunError {
        &self.0
    }
}

impl PartialEq for SharedRunError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl From<RunError> for ChainError {
    fn from(error: RunError) -> Self {
        Self::Run(SharedRunError(Arc::new(error)))
    }
}
