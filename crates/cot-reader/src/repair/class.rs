//! The classes of repairs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a repair takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairClass {
    /// The text is no JSON, but can only mean this value: a comment, a trailing comma, single quotes.
    Syntax,
    /// The value was of another form than the schema says, but means the same: a number in a string,
    /// a key in another case, one value where a list is expected.
    Coercion,
    /// Something of the reply is gone, or was made up: an item of a list that can't be read, a missing
    /// value. Refused, unless the output allows it.
    Loss,
}

impl fmt::Display for RepairClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "syntax",
            Self::Coercion => "coercion",
            Self::Loss => "loss",
        })
    }
}
