//! Why a turn stops before its response.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a turn stopped before its response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StopReason {
    /// Too many consecutive replies were rejected.
    Rejected { attempts: u32, message: String },
    /// The model gave no response within the limit of rounds.
    Rounds { limit: u32 },
    /// The trace exceeds its limit.
    TraceBytes { limit: usize, bytes: usize },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { attempts, message } => {
                write!(f, "{attempts} replies in a row were rejected; the last one: {message}")
            }
            Self::Rounds { limit } => {
                write!(f, "the model gave no response within {limit} rounds")
            }
            Self::TraceBytes { limit, bytes } => {
                write!(f, "the trace has {bytes} bytes, and the limit is {limit}")
            }
        }
    }
}
