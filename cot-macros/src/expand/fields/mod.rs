//! Generates reads and writes of state fields.

mod place;
pub(super) mod unset;
pub(super) mod unwritten;
pub(super) mod update;
