//! What happens in a run, for observers, streams and journals.

mod any_output;
mod debug;
mod event;
mod journaled;
mod map;
mod route;

pub use any_output::AnyOutput;
pub use event::{ProcessEvent, RunEvent, TaskName};
pub use route::Route;

pub(crate) use event::{IndexEvent, PendingOutput};
