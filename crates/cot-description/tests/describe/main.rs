//! Descriptions of processes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod dot;
mod layout;
mod manifest;
mod processes;
mod text;
mod versions;
