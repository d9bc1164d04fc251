//! Chromium for tests of the page over runs: its driver, and a site with a store and a worker.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod browser;
mod commands;
mod driver;
mod processes;
mod site;

pub use browser::Browser;
pub use driver::Driver;
pub use processes::{Answer, Letter, Letters, Slow, Trip, TripState};
pub use site::World;
