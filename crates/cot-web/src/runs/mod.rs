//! The table of runs.

pub(crate) mod overview;
pub(crate) mod query;
pub(crate) mod routes;
mod table;
mod welcome;
