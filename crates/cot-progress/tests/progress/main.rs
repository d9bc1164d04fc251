//! What a display shows of runs.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod world;

mod plain;
mod properties;
mod terminal;
