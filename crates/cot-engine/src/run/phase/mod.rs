//! The phases of a task, one type for each way to produce its result.

pub(crate) mod branches;
pub(crate) mod calls;
pub(crate) mod child_call;
pub(crate) mod each;
pub(crate) mod function;
pub(crate) mod function_call;
pub(crate) mod human;
pub(crate) mod model;
pub(crate) mod pending_check;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod phase;
pub(crate) mod question;
pub(crate) mod reply;
pub(crate) mod sub_process;
pub(crate) mod task_phase;
pub(crate) mod timer;
pub(crate) mod tools;
