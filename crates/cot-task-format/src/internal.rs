//! Items for the other crates of this workspace. They are not covered by semantic versioning.

pub use crate::validate::{marks::confidence_errors, validate::ToolDefinitions};

/// Conversion of external values to expressions.
pub mod data {
    pub use crate::data::{bounded_expr, truncate};
}
