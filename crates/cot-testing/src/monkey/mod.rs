//! Drives a process through thousands of runs with generated answers, and checks the invariants of every run.

pub(crate) mod compare;
pub(crate) mod failure;
pub(crate) mod invariants;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod monkey;
pub(crate) mod monkey_run;
pub(crate) mod poll;
pub(crate) mod problem;
pub(crate) mod replacements;
pub(crate) mod report;
pub(crate) mod responder;
pub(crate) mod settings;
