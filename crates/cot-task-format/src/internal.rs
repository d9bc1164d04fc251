//! What the other crates of this workspace use. It is not covered by semantic versioning.

pub use crate::validate::validate::Definitions;

/// Values from outside as expressions.
pub mod data {
    pub use crate::data::{cut, expr};
}
