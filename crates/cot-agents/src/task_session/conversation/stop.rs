//! Why a turn stops before its response.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::task_session::error::SessionError;

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

impl StopReason {
    /// Returns the error of the turn. That of rejected replies has their diagnostics, which are in the events.
    pub(crate) const fn error(&self) -> Option<SessionError> {
        match *self {
            Self::Rejected { .. } => None,
            Self::Rounds { limit } => Some(SessionError::RoundLimit { limit }),
            Self::TraceBytes { limit, bytes } => Some(SessionError::TraceLimit { limit, bytes }),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.error()) {
            (_, Some(error)) => error.fmt(f),
            (Self::Rejected { attempts, message }, None) => {
                write!(f, "{attempts} replies in a row were rejected; the last one: {message}")
            }
            (_, None) => Ok(()),
        }
    }
}
