//! Reads and writes of the fields of the state.

mod place;
pub(super) mod unset;
pub(super) mod unwritten;
pub(super) mod update;
