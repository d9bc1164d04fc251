//! The items of a process.

pub(crate) mod limits;
pub(crate) mod retry;
