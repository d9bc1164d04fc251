//! Tokens and money by process, task, engine and day; retries and repairs by task.

mod buckets;
mod chart;
mod page;
mod query;
mod rates;
pub(crate) mod routes;
mod sums;
mod tables;
