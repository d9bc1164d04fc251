//! The public surface of the runtime: the builder of a run, its handles, and its results.

pub(crate) mod active;
pub(crate) mod builder;
pub(crate) mod config;
mod constructors;
pub(crate) mod emitter;
pub(crate) mod error;
pub(crate) mod failed;
pub(crate) mod finish;
pub(crate) mod fork;
pub(crate) mod handle;
pub(crate) mod models;
pub(crate) mod observer;
pub(crate) mod report;
pub(crate) mod state_change;
pub(crate) mod state_handle;
pub(crate) mod task_run;
mod traces;
pub(crate) mod typed_config;
