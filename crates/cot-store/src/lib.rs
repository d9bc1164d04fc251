//! Journals of runs: the contract of a store, what a journal consists of, and how a run is read back from
//! it.
//!
//! A [`Store`] keeps a journal for each run. The driver of a run writes every event to it before it acts on
//! the event, and the position of the run after each step. A crash loses nothing that was written.
//!
//! A journal is a list of [`Entry`]s that only grows:
//!
//! - [`Record::Submitted`]: a run that was submitted, if it was not begun at once;
//! - [`Record::Begun`]: the start of the run, or the step of another run from which it was forked;
//! - [`Record::Event`]: a reply, the result of a function, an answer of a person;
//! - [`Record::Step`]: the position of the run after the preceding events, as a [`Delta`] to the last position
//!   or, now and then, as a whole snapshot.
//!
//! A run is read back from the last full snapshot on: it is restored as of the last step, and the events
//! after that step are handled again. Functions of the process run a second time only for these last events.
//!
//! [`MemoryStore`] keeps journals in memory. [`RunHistory`] is a journal as a list of steps and attempts,
//! and a [`Fork`] starts a new run from a step of another.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// Journals of runs: `store.rs` is the contract; `record` says what they are made of, `delta` what changed between
// two snapshots (pure), `journal` when a whole one is due and how a run is read back; `submission` and `due` are for
// workers; `filter` has the orders and filters of lists, `spending` what a record adds to what was spent, `cancel`
// and `draft` what programs tell each other beside the journal; `history` tells a run, `fork` goes back in it; a
// record has the blobs that no earlier one has; `stored` is what stores in databases have in common; `memory` is the store for tests.

mod cancel;
mod case_line;
mod chain;
mod day;
mod delta;
mod draft;
mod due;
mod error;
mod filter;
mod fork;
mod history;
#[doc(hidden)]
pub mod internal;
mod journal;
mod lease;
mod marks;
mod memory;
mod millis;
mod process;
mod questions;
mod record;
mod run_id;
mod spending;
mod status;
mod store;
mod stored;
mod submission;
mod summary;
mod transaction;

pub use cancel::CancelRequest;
pub use chain::EntryHash;
pub use day::{Day, ParseDayError};
pub use delta::delta::{Delta, DeltaError};
pub use draft::Draft;
pub use due::{DueFilter, DueRun};
pub use error::StoreError;
pub use filter::{RunFilter, RunOrder};
pub use fork::{Fork, snapshot_at};
pub use history::{
    attempt::{Answer, AttemptHistory},
    run::RunHistory,
    step::{BranchHistory, FoundHistory, StepHistory, Transition},
    tool_call::ToolCallHistory,
    window::HistoryWindow,
};
pub use lease::Lease;
pub use marks::CallMarks;
pub use memory::store::MemoryStore;
pub use process::ProcessDescription;
pub use record::{
    CallInfo, Entry, EventRecord, Origin, Record, RunStarted, RunSubmitted, StepRecord,
    StepSnapshot, Timer,
};
pub use run_id::{ParseRunIdError, RunId};
pub use spending::{Spending, SpendingFilter};
pub use status::{EndKind, ParseStatusKindError, Status, StatusKind};
pub use store::Store;
pub use submission::Submission;
pub use summary::{RunSummary, SetAside};
pub use transaction::{Transaction, TransactionSupport};
