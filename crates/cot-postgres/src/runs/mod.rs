//! The table of runs.

pub(crate) mod due;
pub(crate) mod list;
pub(crate) mod table;
