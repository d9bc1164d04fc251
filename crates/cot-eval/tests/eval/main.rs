//! Tests of evals through the public surface.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod cache;
mod cases;
mod compare;
mod images;
mod judges;
mod many;
mod process;
mod report;
mod retrace;
mod scores;
mod tasks;
mod trials;
