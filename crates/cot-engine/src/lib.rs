//! The engine of chain-of-thought processes: the tables of a process, its prompts, and the state machine of a
//! run.
//!
//! The engine performs no I/O, reads no clock, and starts no task or thread. A [`Machine`] returns
//! [`Directive`]s, the calls that should be in flight, and handles the [`Event`]s that answer them; a driver,
//! such as the runner of `cot-runtime`, performs them. A run in progress is a [`Snapshot`] at any time.
//!
//! Processes are declared with `cot_process!` of the crate `cot-core`, which re-exports everything here.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

#[doc(hidden)]
pub mod internal;
mod machine;
#[doc(hidden)]
pub mod private;
mod process;
mod prompt;
mod protocol;
mod reply;
mod run;
mod snapshot;
mod template;
mod values;

#[doc(hidden)]
pub use private as __private;

pub use cot_model::{EffectError, FunctionError, Secret};

pub use crate::{
    machine::{
        hooks::{AfterCommit, BeforeCommit},
        inspect::PromptError,
        machine::Machine,
    },
    process::{
        context::{CommitCx, Cx, IntoContext},
        effect::Effect,
        example::Example,
        mock::Reply,
        mock_mode::MockMode,
        options::{Fallback, MachineOptions, StartError},
        process::Process,
        reserved::ReservedFieldError,
        scope::{About, Scope},
        task_examples::InvalidExampleError,
        tool::{
            approval::Approval,
            source::{SourceTool, ToolSource},
        },
        types::{HasContext, ProcessTypes, State, TaskId},
    },
    protocol::{
        directive::{Action, CallId, Directive, FunctionCall, MachinePoll, ModelCall, Question},
        event::{Event, EventOutcome},
        key::call_key::{CallKey, ParseCallKeyError},
        run_event::{
            any_output::AnyOutput,
            event::{BranchOutcome, ProcessEvent, RunEvent, TaskName},
            route::Route,
        },
    },
    reply::end::{ReplyEnd, ReplyWatcher},
    snapshot::{
        conflict::{Change, Conflict, ConflictKind},
        data::Snapshot,
        difference::VersionDifference,
        error::SnapshotError,
        migration::Migration,
        options::ResumeOptions,
    },
    template::{
        fragment::Fragment,
        growing::GrowingText,
        mode::{ParsePromptModeError, PromptMode},
        partial::PartialPrompt,
        parts::{Newlines, PartError},
    },
    values::{
        budget::Budget,
        history::{History, HistoryEntry},
        inputs::Inputs,
        item_error::ItemError,
        outcome::{
            Attempt, Ending, FailedBranch, FailedItem, Failure, Halt, HaltReason, NestedFailure,
        },
        panicked::{Panic, PanicPlace},
        update_error::UpdateError,
    },
};

cot_schema::debug_as_sentence! {
    InvalidExampleError, ParseCallKeyError, ParsePromptModeError, PartError, PromptError, ReservedFieldError,
    SnapshotError, StartError, UpdateError, internal::ManifestError,
}
