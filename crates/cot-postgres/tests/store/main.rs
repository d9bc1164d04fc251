//! Runs in Postgres, through the public API, on a real server. Without `COT_POSTGRES`, its address, the tests skip
//! themselves: `server.sh` starts one.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod clocks;
mod contract;
mod kit;
mod leases;
mod network;
mod programs;
mod proxy;
mod releases;
mod transactions;
mod trouble;
mod unheard;
