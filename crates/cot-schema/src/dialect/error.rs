//! What a dialect can't express.

use std::fmt;

/// Something in a schema that a dialect can't express.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inexpressible {
    /// JSON path into the schema: `$.$defs.Node`.
    pub path: String,
    /// Why not, in words.
    pub reason: String,
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.reason)
    }
}
