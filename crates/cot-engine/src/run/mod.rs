//! The untyped state machine of a run. A phase produces the result of a task; the run applies it: commit,
//! history, routing, retries and limits are implemented once for all phases.

pub(crate) mod attempts;
mod branch;
pub(crate) mod branch_facts;
pub(crate) mod callers;
pub(crate) mod commit;
pub(crate) mod context;
pub(crate) mod end;
pub(crate) mod failure;
pub(crate) mod inspect;
pub(crate) mod limits;
mod once_calls;
pub(crate) mod phase;
pub(crate) mod position;
pub(crate) mod restore;
pub(crate) mod restore_context;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod run;
pub(crate) mod save;
pub(crate) mod start;
pub(crate) mod track;
