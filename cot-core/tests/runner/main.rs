//! The runner, on processes written by hand and models that answer as told.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests may panic and wait"
)]
#![allow(missing_docs, unreachable_pub, reason = "tests have no users")]

mod ending;
mod endurance;
mod missing;
mod models;
mod process;
mod steering;
mod watching;
