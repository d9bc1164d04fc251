//! Typed, durable workflows of model calls, checked by the compiler.
//!
//! A *process* is a small graph of *tasks*. Each task asks a language model for a typed *output* or
//! for a *transition*, the choice of the next task. [`cot_process!`] turns the declaration of
//! such a graph into a typed runner. An invalid transition target, state path or prompt variable
//! is a compile error at that word.
//!
//! The library has three layers. Each can be used without the one above:
//!
//! - [`cot_process!`] and [`derive@CotOutput`] check declarations and generate code at compile time;
//! - [`Machine`] is the process as a pure state machine: it returns [`Directive`]s, takes
//!   [`Event`]s, and does no I/O;
//! - [`Runner`] performs the directives with tokio and any [`LanguageModel`].
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The facade: modules of re-exports, the prelude, the guides in `docs`; behaviour tests of the public surface,
// benchmarks, fuzz targets.

#[doc(hidden)]
pub mod __private;
pub mod guide;
#[doc(hidden)]
pub mod internal;
pub mod model;
pub mod prelude;
pub mod reader;
#[cfg(not(feature = "agents"))]
pub mod reasoning;
pub mod replay;
pub mod store;
#[cfg(feature = "agents")]
pub mod task_format;
#[cfg(feature = "testing")]
pub mod testing;
pub mod trace;

#[cfg(feature = "agents")]
#[doc(inline)]
pub use cot_agents::{plan_execute, reasoning, tools};
#[doc(inline)]
pub use cot_description::Description;
#[doc(inline)]
pub use cot_engine::{
    About, Action, AfterCommit, AnyOutput, Approval, Attempt, BeforeCommit, Bound, BranchOutcome,
    Budget, CallId, CallKey, Change, CommitCx, Conflict, ConflictKind, Connection, ConnectionType,
    Cx, Directive, Effect, EffectError, Ending, Event, EventOutcome, Example, FailedBranch,
    FailedItem, Failure, Fallback, Fragment, FunctionCall, FunctionError, GrowingText, Halt,
    HaltReason, HasContext, History, HistoryEntry, Inputs, IntoContext, InvalidExampleError,
    ItemError, Machine, MachineOptions, MachinePoll, Migration, MockMode, ModelCall, NestedFailure,
    Newlines, Panic, PanicPlace, ParseCallKeyError, ParsePromptModeError, PartError, PartialPrompt,
    Process, ProcessEvent, ProcessTypes, PromptError, PromptMode, Quantity, Question, Reply,
    ReplyEnd, ReplyWatcher, ReservedFieldError, ResumeOptions, Route, RunEvent, Scope, Secret,
    Snapshot, SnapshotError, SourceTool, StartError, State, TaskId, TaskName, ToolSource,
    UpdateError, VersionDifference, WorstCase,
};
#[cfg(feature = "eval")]
#[doc(inline)]
pub use cot_eval as eval;
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/output.md")]
pub use cot_macros::CotOutput;
#[cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#[doc = include_str!("../docs/process.md")]
pub use cot_macros::cot_process;
#[cfg(feature = "mcp")]
#[doc(inline)]
pub use cot_mcp as mcp;
#[doc(inline)]
pub use cot_model::{LanguageModel, PartName, PromptSegments, Segment, Stability, Usage};
#[cfg(feature = "otel")]
#[doc(inline)]
pub use cot_otel as otel;
#[cfg(feature = "progress")]
#[doc(inline)]
pub use cot_progress as progress;
#[cfg(any(feature = "anthropic", feature = "genai", feature = "openai"))]
#[doc(inline)]
pub use cot_providers::request_error;
#[doc(inline)]
pub use cot_reader::{Incoming, PartialOutput, Passage};
#[doc(inline)]
pub use cot_runtime::{
    ActiveRun, AnswerError, EventContext, FailedRunError, ForkRun, MissingModel,
    MissingModelsError, Models, Preflight, PreflightError, RunError, RunFuture, RunHandle,
    RunReport, Runner, StateHandle, TaskEnd, TaskFuture, TaskRun, TransactionsError,
    UnacceptedMediaError, UnacceptedMedium, UnsupportedSchema, UnsupportedSchemasError, Worker,
    WorkerError, WorkerEvent,
};
#[doc(inline)]
pub use cot_schema::{CotOutput, Issue, Issues, OutputSchema, Private, Untrusted};
