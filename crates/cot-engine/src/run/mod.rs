//! The untyped state machine of a run. A phase decides how a task gets its result; the run decides what happens
//! with it: commit, history, routing, retries and limits are written once.

pub(crate) mod attempts;
pub(crate) mod callers;
pub(crate) mod commit;
pub(crate) mod context;
pub(crate) mod end;
pub(crate) mod failure;
pub(crate) mod inspect;
pub(crate) mod limits;
pub(crate) mod phase;
pub(crate) mod restore;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod run;
pub(crate) mod save;
pub(crate) mod start;
