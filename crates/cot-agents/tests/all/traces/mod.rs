//! Runs as traces: live, resumed and stored, of all that a run can do.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "helpers of tests fail like tests, and one measures times"
)]

mod agents;
mod large;
mod live;
mod lossless;
mod office;
mod property;
mod stored;
