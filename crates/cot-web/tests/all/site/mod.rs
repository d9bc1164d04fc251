//! The site over stores in memory, and over a real connection.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod access;
mod evals;
mod hostile;
mod limits;
mod server;
mod table;
mod trouble;
mod world;
