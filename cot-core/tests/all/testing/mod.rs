//! The public API of the test kit.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]
#![allow(missing_docs, unreachable_pub, reason = "tests have no users")]

mod branches;
mod coverage;
mod desk;
mod functions;
mod model;
mod monkey;
mod office;
mod replies;
mod schemas;
mod types;
