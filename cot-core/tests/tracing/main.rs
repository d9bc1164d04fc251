//! Runs as spans: what a subscriber of `tracing` and an instrument see of them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]
#![expect(clippy::await_holding_lock, reason = "tests with a subscriber run one at a time")]

mod instrument;
mod kinds;
mod recorder;
mod stored;
