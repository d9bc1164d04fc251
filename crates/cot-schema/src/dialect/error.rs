//! The error of a rewrite.

use std::{error::Error, fmt};

/// A part of a schema that a dialect can't express.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DialectError {
    /// The JSON path in the schema: `$.$defs.Node`.
    pub path: String,
    /// The reason, as a predicate: "has 30 optional members, and Anthropic takes 24 at most".
    pub reason: String,
}

impl fmt::Display for DialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.reason)
    }
}

impl Error for DialectError {}
