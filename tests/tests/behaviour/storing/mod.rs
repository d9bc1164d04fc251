//! Runs that are kept in a store: whatever happens to their program, they end as if nothing had.

mod answers;
mod cancels;
mod crashes;
mod drivers;
mod forks;
pub(crate) mod ledger;
mod media;
mod once;
mod shown;
mod versions;
mod waits;
