//! What has happened in a run, told step by step.

mod attempt;
mod run;
mod show;
mod step;
mod tell;

pub use attempt::{Answer, AttemptHistory};
pub use run::RunHistory;
pub use step::{StepHistory, Transition};
