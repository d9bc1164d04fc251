//! Durable runs: the contract of stores, and the journals of runs.
//!
//! [`Runner::store`](crate::Runner::store) persists every run of a runner in a [`Store`].
//! A [`Worker`](crate::Worker) drives every run of its processes in a store.

#[doc(inline)]
pub use cot_store::{
    Answer, AttemptHistory, BranchHistory, CallInfo, Delta, DeltaError, DueFilter, DueRun, EndKind,
    Entry, EventRecord, Fork, Lease, MemoryStore, Origin, ParseRunIdError, Record, RunFilter,
    RunHistory, RunId, RunStarted, RunSubmitted, RunSummary, SetAside, Status, StepHistory,
    StepRecord, StepSnapshot, Store, StoreError, Submission, Timer, ToolCallHistory, Transition,
    snapshot_at,
};
