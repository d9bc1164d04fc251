//! Runs on a real Restate server, with nodes as separate processes and a model behind HTTP that counts
//! its calls.
//!
//! Runs only where `COT_RESTATE_SERVER` names the program (`crates/cot-restate/tests/server.sh` installs it and
//! prints the path). What dies here is killed with SIGKILL.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod crash;
mod kinds;
mod many;
mod model;
mod node;
mod once;
mod people;
mod processes;
mod server;
mod time;
mod transactions;
mod versions;
mod world;
