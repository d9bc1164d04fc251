//! Descriptions of processes.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod dot;
mod layout;
mod manifest;
mod processes;
mod text;
mod versions;
