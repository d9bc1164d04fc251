//! Requests to cancel a run.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::millis::round_to_millis;

/// A request to cancel a run, which its present or next driver applies: see
/// [`Store::request_cancel`](crate::Store::request_cancel).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CancelRequest {
    /// The reason, which becomes the reason of the ending. It may be empty.
    pub reason: String,
    /// When the request was made.
    #[serde(with = "crate::millis")]
    pub at: SystemTime,
}

impl CancelRequest {
    /// Creates a request, made at the time `now`.
    #[must_use]
    pub fn new(reason: impl Into<String>, now: SystemTime) -> Self {
        Self { reason: reason.into(), at: round_to_millis(now) }
    }
}
