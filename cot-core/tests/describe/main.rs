//! What a process says of itself.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod dot;
mod manifest;
mod processes;
mod text;
