//! The public API of the machine, without a runner.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod drive;
mod items;
mod lab;
mod life;
mod limits;
mod replies;
mod resuming;
mod routes;
