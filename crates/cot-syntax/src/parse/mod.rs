//! Reads items and lists.

mod misnamed;
pub(crate) mod table;
