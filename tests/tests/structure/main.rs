//! What no lint holds about the source: which crates and files import which, and how long files are.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod crates;
mod cycles;
mod imports;
mod modules;
mod purity;
mod repairs;
mod scopes;
mod short;
mod workspace;
