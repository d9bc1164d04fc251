//! Durable runs: the contract of stores, and the journals of runs.
//!
//! [`Runner::store`](crate::Runner::store) persists every run of a runner in a [`Store`].
//! A [`Worker`](crate::Worker) drives every run of its processes in a store.

#[doc(inline)]
pub use cot_store::{
    Answer, AttemptHistory, BranchHistory, CallInfo, CancelRequest, Day, Delta, DeltaError, Draft,
    DueFilter, DueRun, EndKind, Entry, EntryHash, EventRecord, Fork, FoundHistory, HistoryWindow,
    Lease, MemoryStore, Origin, ParseDayError, ParseRunIdError, ParseStatusKindError,
    ProcessDescription, Record, RunFilter, RunHistory, RunId, RunOrder, RunStarted, RunSubmitted,
    RunSummary, SetAside, Spending, SpendingFilter, Status, StatusKind, StepHistory, StepRecord,
    StepSnapshot, Store, StoreError, Submission, Timer, ToolCallHistory, Transaction,
    TransactionSupport, Transition, snapshot_at,
};
