//! What a run tells its instruments: spans of the run, its tasks, attempts and calls, and what happens in them.

mod branches;
pub(crate) mod call_cell;
mod events;
pub(crate) mod facts;
pub(crate) mod fanout;
pub(crate) mod instrument;
mod open_calls;
pub(crate) mod run_trace;
pub(crate) mod span_event;
pub(crate) mod span_ref;
#[cfg(feature = "tracing")]
pub(crate) mod spans;
mod tree;
