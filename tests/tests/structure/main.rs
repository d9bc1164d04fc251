//! What no lint holds about the source: which crates and files import which, sizes, and words.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod cost;
mod crates;
mod cycles;
mod examples;
mod guide;
mod guide_links;
mod imports;
mod licences;
mod modules;
mod names;
mod phrases;
mod published;
mod purity;
mod repairs;
mod scopes;
mod sizes;
mod workspace;
