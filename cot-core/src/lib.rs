//! Chain-of-thought processes in Rust, checked at compile time.
//!
//! A *process* is a small graph of *tasks*. Each task asks a language model for a typed *output* or
//! for a *transition*, the choice of where to go next. [`cot_process!`] turns the declaration of
//! such a graph into a typed runner; a wrong transition target, a wrong state path or a wrong
//! variable in a prompt is a compiler error under the offending word.
//!
//! Three layers, each usable without the one above:
//!
//! - [`cot_process!`] and [`derive@CotOutput`] check and generate, at compile time;
//! - [`Machine`] is the process as a pure state machine: it gives [`Directive`]s and takes
//!   [`Event`]s, and does no I/O of its own;
//! - [`Runner`] performs the directives with tokio and any [`LanguageModel`].
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

extern crate self as cot_core;

pub mod model;
pub mod prelude;
pub mod reader;
pub mod replay;
pub mod task_format;

/// Runs that survive the program that drives them: the contract of a store, and the journals of runs.
///
/// [`Runner::store`] keeps every run of a runner in a [`Store`](store::Store); [`Runner::resume_all`] resumes the
/// runs that a crash interrupted.
pub mod store {
    #[doc(inline)]
    pub use cot_store::{
        Answer, Asked, AttemptHistory, BadDelta, BadRunId, Begun, Delta, Ended, Entry, EventRecord,
        Fork, Lease, MemoryStore, Origin, Progress, Record, RunFilter, RunHistory, RunId,
        RunSummary, Status, StepHistory, StepRecord, Store, StoreError, Transition, snapshot_at,
    };
}

/// The test kit: what tests a process without a model.
///
/// [`guide::testing`] shows it at work.
pub mod testing {
    #[doc(inline)]
    pub use cot_testing::{
        Coverage, Mixture, Monkey, MonkeyFailure, MonkeyModel, MonkeyReport, Problem, Replies,
        ReplyKind, Verdict, check_store,
    };
}

/// Pages on single features, each with examples: there is no code in them.
pub mod guide {
    #[doc = include_str!("../docs/errors.md")]
    pub mod errors {}
    #[doc = include_str!("../docs/production.md")]
    pub mod production {}
    #[doc = include_str!("../docs/proven_state.md")]
    pub mod proven_state {}
    #[doc = include_str!("../docs/replies.md")]
    pub mod replies {}
    #[doc = include_str!("../docs/storing.md")]
    pub mod storing {}
    #[doc = include_str!("../docs/tasks.md")]
    pub mod tasks {}
    #[doc = include_str!("../docs/testing.md")]
    pub mod testing {}
}

#[doc(inline)]
pub use cot_agents::{plan_execute, reasoning};
#[doc(inline)]
pub use cot_engine::{
    About, Action, AfterCommit, AnyOutput, Attempt, BadCallKey, BeforeCommit, Budget, CallId,
    CallKey, CodeError, CommitScope, Description, Directive, Ending, Event, FailedItem, Failure,
    Fallback, Fragment, FunctionCall, Halt, HaltReason, Handled, History, HistoryEntry, Inputs,
    Machine, MachineOptions, MachinePoll, MockMode, ModelCall, Nested, Newlines, Panic, PanicPlace,
    PartError, PartialPrompt, Process, ProcessEvent, ProcessTypes, PromptError, PromptMode,
    Question, Reply, ReservedField, ResumeOptions, Route, RunEvent, Scope, Secret, Snapshot,
    SnapshotError, StartError, State, TaskId, TaskName, UnknownMode, UpdateError,
};
#[doc = include_str!("../docs/output.md")]
pub use cot_macros::CotOutput;
#[doc = include_str!("../docs/process.md")]
pub use cot_macros::cot_process;
#[doc(inline)]
pub use cot_model::{LanguageModel, PartName, PromptSegments, Segment, SegmentKind, Usage};
#[doc(inline)]
pub use cot_reader::{Incoming, PartialOutput};
#[doc(inline)]
pub use cot_runtime::{
    ActiveRun, AnswerError, EventContext, Finish, ForkRun, MissingModel, MissingModels, Models,
    Preflight, PreflightError, ResumeAll, Run, RunError, RunHandle, Runner, StateHandle, TaskEnd,
    TaskRun, UnfitSchema, UnfitSchemas,
};
#[doc(inline)]
pub use cot_schema::{CotOutput, Issue, Issues, OutputSchema};

/// What generated code calls. It is not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use cot_engine::private::*;
    pub use cot_macros::ConditionalProcess;
}
