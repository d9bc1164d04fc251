//! What has happened in a run, step by step.

pub(crate) mod attempt;
pub(crate) mod run;
mod show;
pub(crate) mod step;
mod tell;
