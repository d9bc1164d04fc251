//! Tasks that do something else than asking a model one thing, and what goes wrong in them.

mod checking;
mod choices;
mod code;
mod context;
pub(crate) mod drive;
mod engines;
pub(crate) mod firm;
mod functions;
mod hooks;
mod human;
mod inputs;
mod interrupted;
mod mocks;
mod panics;
pub(crate) mod read;
mod read_runs;
mod read_settings;
mod reason;
mod reason_elsewhere;
