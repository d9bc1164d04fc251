//! The store in memory.

mod journal;
mod shared;
pub(crate) mod store;
