//! Runs in a SQLite database, through the public API, with real files and processes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod alone;
mod answers;
mod blobs;
mod commits;
mod contract;
mod cutting;
mod driving;
mod giving_back;
mod gone;
mod keeping;
mod kit;
mod lists;
mod load;
mod nesting;
#[cfg(unix)]
mod owners;
mod processes;
mod resuming;
mod rows;
mod seen;
mod spending;
mod stored_format;
mod tables;
mod transactions;
mod trouble;
mod versions;
