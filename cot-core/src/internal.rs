//! What other crates of the workspace use. It is not covered by semantic versioning.

/// The page of errors, for `cot explain`.
pub const ERRORS: &str = include_str!("../docs/errors.md");
