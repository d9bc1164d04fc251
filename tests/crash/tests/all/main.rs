//! Programs are killed in the middle of their runs, and started again until all is done: nothing that was
//! committed is lost or done twice, and no reply that was journaled is asked for again.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod faults;
mod kills;
mod ledger;
mod orders;
mod payments;
mod server;
mod worker;
mod workers;
