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

mod engine;
pub mod model;
mod partial;
pub mod plan_execute;
pub mod prelude;
pub mod reader;
pub mod reasoning;
pub mod replay;
mod runner;
pub mod store;
pub mod task_format;
pub mod testing;
mod tools;

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

// Lets files above the engine import `crate::machine`.
use engine::machine;

#[doc = include_str!("../docs/output.md")]
pub use cot_macros::CotOutput;
#[doc = include_str!("../docs/process.md")]
pub use cot_macros::cot_process;
#[doc(inline)]
pub use cot_model::{LanguageModel, PartName, PromptSegments, Segment, SegmentKind, Usage};
#[doc(inline)]
pub use cot_reader::{Incoming, PartialOutput};
#[doc(inline)]
pub use cot_schema::{CotOutput, Issue, Issues, OutputSchema};
#[doc(hidden)]
pub use engine::private as __private;
pub use engine::{
    description::description::Description,
    process::{
        mock::Reply,
        process::Process,
        scope::{About, CommitScope, Scope},
        types::{ProcessTypes, State, TaskId},
    },
    template::{
        fragment::Fragment,
        mode::{PromptMode, UnknownMode},
        partial::PartialPrompt,
        parts::{Newlines, PartError},
    },
    values::{
        budget::Budget,
        code_error::CodeError,
        history::{History, HistoryEntry},
        inputs::Inputs,
        outcome::{Attempt, Ending, FailedItem, Failure, Halt, HaltReason, Nested},
        panicked::{Panic, PanicPlace},
        secret::Secret,
        update_error::UpdateError,
    },
};
pub use machine::{
    Action, AfterCommit, AnyOutput, BadCallKey, BeforeCommit, CallId, CallKey, Directive, Event,
    Fallback, FunctionCall, Handled, Machine, MachineOptions, MachinePoll, MockMode, ModelCall,
    ProcessEvent, PromptError, Question, ReservedField, ResumeOptions, Route, RunEvent, Snapshot,
    SnapshotError, StartError, TaskName,
};
pub use runner::{
    ActiveRun, AnswerError, EventContext, Finish, ForkRun, MissingModel, MissingModels, Models,
    Preflight, PreflightError, ResumeAll, Run, RunError, RunHandle, Runner, StateHandle, TaskEnd,
    TaskRun, UnfitSchema, UnfitSchemas,
};
