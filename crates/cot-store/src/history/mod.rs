//! The history of a run: its steps and their attempts.

pub(crate) mod attempt;
mod builder;
mod display;
mod output;
mod round;
pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod tool_call;
pub(crate) mod window;
