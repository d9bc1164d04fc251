//! The history of a run: its steps and their attempts.

pub(crate) mod attempt;
mod display;
pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod tool_call;
mod tree;
pub(crate) mod window;
