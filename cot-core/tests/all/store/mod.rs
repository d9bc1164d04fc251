//! Stored runs: the contents of a store, and reading them.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]
#![allow(missing_docs, unreachable_pub, reason = "tests have no users")]

mod fork;
mod history;
mod memory;
mod process;
mod resuming;
