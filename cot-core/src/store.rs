//! Runs that survive the program that drives them: the contract of a store, and the journals of runs.
//!
//! [`Runner::store`](crate::Runner::store) keeps every run of a runner in a [`Store`]; [`Runner::resume_all`](crate::Runner::resume_all) resumes the
//! runs that a crash interrupted.

#[doc(inline)]
pub use cot_store::{
    Answer, Asked, AttemptHistory, BadDelta, BadRunId, Begun, Delta, Ended, Entry, EventRecord,
    Fork, Lease, MemoryStore, Origin, Progress, Record, RunFilter, RunHistory, RunId, RunSummary,
    Status, StepHistory, StepRecord, Store, StoreError, Transition, snapshot_at,
};
