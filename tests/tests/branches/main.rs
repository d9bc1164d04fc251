//! Branches: what parallel tasks do on a machine, in a runner, in a store and in a worker.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod joining;
#[path = "../behaviour/storing/ledger.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod ledger;
mod process;
mod random;
mod running;
mod shown;
mod storing;
mod waiting;
