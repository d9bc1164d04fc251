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

// # Where things are
//
// `process`: the contract between macro and engine: `types.rs` (the types of a process), `tables.rs` (plain data),
// `code.rs` (typed functions), `process.rs` above them; `context.rs` is what functions receive besides the state,
// `call_place.rs` the key of their call; `host.rs` is the typed side of a run as an object-safe trait, `child.rs` a
// sub-process as one, `outline.rs` a process without its types; `schemas` makes and caches the reply schemas;
// `reading`: the formats of replies, and the functions of tasks that read their own; `tool`: the tools of a process
// and their bounds, and `source.rs`, the trait of tools that are known only when the program runs.
//
// `run`: one run, compiled once for all processes: `track.rs` starts, advances and ends tasks at a position over the
// facts of a run (`run.rs` is a run with one, `branch.rs` a branch, whose own facts are swapped in while it
// advances); `commit.rs`, `failure.rs`, `limits.rs`, `callers.rs` do what is the same for all of them; `phase` has a
// file for each way in which a task gets its result, behind the trait `TaskPhase`. A for-each is a `GroupPhase` of
// slots (`each`: models, functions, sub-processes); `branches.rs` maps calls to branches; `tools` holds the rounds
// of an AI task, a file for each step; `function_call.rs` and `child_call.rs` are the attempts that tasks, items and
// tool calls share; a sub-process is a `Run` within the phase of another.
//
// `machine`: `Machine<P>`, a thin typed shell over a `Run`; `host.rs` is its typed side, `any_machine.rs` a machine
// without types; `protocol`: directives, events, keys of calls and run events.
//
// `values`: inputs, outcomes, budgets, secrets, history; `prompt`: which parts,
// in which order (`order`), with which primer; `reply`: a transition, an output, or a part of one that is still
// streamed; `snapshot`: a run as data, its fingerprint, and its comparison with the present version
// (`compatibility`, pure, for tables and for manifests; `fit` migrates before a run is restored); `private`: what
// generated code calls. `tests/engine` tests the phases on tables over JSON, without macro, types, runner and clock
// (`harness` declares and drives such processes); tests elsewhere keep to what needs one of these.

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
mod values;

#[doc(hidden)]
pub use private as __private;

pub use cot_bounds::{Bound, Quantity, WorstCase};
pub use cot_model::{EffectError, FunctionError, Secret};

pub use crate::{
    machine::{
        hooks::{AfterCommit, BeforeCommit},
        inspect::PromptError,
        machine::Machine,
    },
    process::{
        connection::{Connection, ConnectionType},
        context::{CommitCx, Cx, IntoContext},
        effect::Effect,
        examples::example::Example,
        examples::task_examples::InvalidExampleError,
        mock::Reply,
        mock_mode::MockMode,
        options::{Fallback, MachineOptions, StartError},
        process::Process,
        reserved::ReservedFieldError,
        scope::{About, Scope},
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
pub use cot_template::{
    Fragment, GrowingText, Newlines, ParsePromptModeError, PartError, PartialPrompt, PromptMode,
};

cot_schema::debug_as_sentence! {
    InvalidExampleError, ParseCallKeyError, PromptError, ReservedFieldError,
    SnapshotError, StartError, UpdateError, internal::ManifestError,
}
