//! The runner, with small processes and scripted models.
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
mod tools;
mod watching;
