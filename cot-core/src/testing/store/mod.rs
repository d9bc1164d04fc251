//! What any store has to do, as tests.

mod answers;
mod contract;
mod journals;
mod leases;
mod records;
mod summaries;
mod support;

pub use contract::check_store;
