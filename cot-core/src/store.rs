//! Runs that survive the program that drives them: the contract of a store, and the journals of runs.
//!
//! [`Runner::store`](crate::Runner::store) keeps every run of a runner in a [`Store`]; [`Runner::resume_all`](crate::Runner::resume_all) resumes the
//! runs that a crash interrupted.

#[doc(inline)]
pub use cot_store::{
    Answer, AttemptHistory, CallInfo, Delta, DeltaError, EndKind, Entry, EventRecord, Fork, Lease,
    MemoryStore, Origin, ParseRunIdError, Record, RunFilter, RunHistory, RunId, RunStarted,
    RunSummary, Status, StepHistory, StepRecord, StepSnapshot, Store, StoreError, Transition,
    snapshot_at,
};
