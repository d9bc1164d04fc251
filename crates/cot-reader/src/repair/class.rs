//! The classes of repairs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The class of a repair, by the assumptions that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairClass {
    /// The text is not valid JSON but unambiguous: a comment, a trailing comma, single quotes.
    Syntax,
    /// The value has another form than in the schema but the same meaning: a number in a string, a key in
    /// another case, a single value instead of a list.
    Coercion,
    /// Part of the reply was dropped or made up: an invalid list item, a missing value. It is rejected
    /// unless the output allows loss.
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
