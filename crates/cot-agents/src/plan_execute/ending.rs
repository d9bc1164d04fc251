//! Why a run ended.

use cot_schema::Issues;
use serde::{Deserialize, Serialize};

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The model replied *stop*, and there is an answer.
    Stopped,
    /// A reply was unusable: it could not be parsed, or requested *stop* without an answer.
    Unreadable(Issues),
    /// The token limit cut off a reply.
    Truncated,
    /// The model refused to answer.
    Refused,
}
