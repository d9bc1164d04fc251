//! A process as a pure state machine: it returns directives for its driver, and handles the events that answer them.
//!
//! [`Machine`] is a thin typed shell over a [`Run`](crate::engine::run::run::Run), which is compiled once for all
//! processes: it works on task numbers, static tables and JSON, and reaches the typed side through the object-safe
//! trait [`ProcessHost`](crate::engine::process::host::ProcessHost). No part of it knows of clocks, I/O, randomness
//! or threads.

pub(crate) mod child;
pub(crate) mod hooks;
pub(crate) mod host;
pub(crate) mod inspect;
pub(crate) mod kept_of_run;
pub(crate) mod lookup;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod machine;
pub(crate) mod naming;
pub(crate) mod resume;
pub(crate) mod state;

pub use crate::engine::process::mock_mode::MockMode;
pub use crate::engine::process::{
    options::{Fallback, MachineOptions, StartError},
    reserved::ReservedField,
};
pub use crate::engine::protocol::directive::{
    Action, CallId, Directive, FunctionCall, MachinePoll, ModelCall, Question,
};
pub use crate::engine::protocol::event::{Event, Handled};
pub use crate::engine::protocol::key::{BadCallKey, CallKey};
pub use crate::engine::protocol::run_event::{AnyOutput, ProcessEvent, Route, RunEvent, TaskName};
pub use crate::engine::snapshot::error::SnapshotError;
pub use crate::engine::snapshot::{data::Snapshot, options::ResumeOptions};
pub use hooks::{AfterCommit, BeforeCommit};
pub use inspect::PromptError;
pub use machine::Machine;

pub(crate) use crate::engine::reply::menu::is_transition;
pub(crate) use hooks::Hooks;
