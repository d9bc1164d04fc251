//! The version of the schema.

/// The newest version.
pub(crate) const NEWEST: u32 = 1;
