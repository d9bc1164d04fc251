//! What the other crates of this workspace use. It is not covered by semantic versioning.

pub use crate::clock::within;
