//! The spans of a run, its tasks and its calls.

mod call;
mod error_type;
mod model_call;
mod node;
pub(crate) mod run;
mod task;
