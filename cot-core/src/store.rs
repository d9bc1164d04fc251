//! Durable runs: the contract of stores, and the journals of runs.
//!
//! [`Runner::store`](crate::Runner::store) persists every run of a runner in a [`Store`].
//! [`Runner::resume_all`](crate::Runner::resume_all) resumes the runs that were interrupted by a crash.

#[doc(inline)]
pub use cot_store::{
    Answer, AttemptHistory, CallInfo, Delta, DeltaError, EndKind, Entry, EventRecord, Fork, Lease,
    MemoryStore, Origin, ParseRunIdError, Record, RunFilter, RunHistory, RunId, RunStarted,
    RunSummary, Status, StepHistory, StepRecord, StepSnapshot, Store, StoreError, Transition,
    snapshot_at,
};
