//! The state machine of a process: it returns directives for its driver and handles the events that answer
//! them.
//!
//! [`Machine`](machine::Machine) is a thin typed shell over a [`Run`](crate::run::run::Run), which is
//! compiled once for all processes: it works on task numbers, static tables and JSON, and accesses the typed
//! side through the object-safe trait [`ProcessHost`](crate::process::host::ProcessHost). No part of it uses
//! clocks, I/O, randomness or threads.

pub(crate) mod any_machine;
mod calls;
pub(crate) mod child;
pub(crate) mod hooks;
pub(crate) mod host;
pub(crate) mod host_data;
pub(crate) mod inspect;
pub(crate) mod lookup;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod machine;
pub(crate) mod outline_version;
pub(crate) mod recorded;
mod replies;
pub(crate) mod resume;
pub(crate) mod state;
pub(crate) mod tasks;
mod tools;
pub(crate) mod typed_outline;
