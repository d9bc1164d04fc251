//! The sections of the page, through its router, over runs that models and workers have made.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod batch;
mod browser;
mod case;
mod compare;
mod costs;
mod fork;
mod people;
mod run;
mod start;
mod world;
