//! Runs as spans and metrics, as a receiver of OTLP decodes them.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panics, and wait"
)]

mod closed;
mod concurrency;
mod content;
mod decoded;
mod endings;
mod guide;
mod metrics;
mod model;
mod processes;
mod propagation;
mod receiver;
mod registry;
mod resumed;
mod spans;
mod trouble;
