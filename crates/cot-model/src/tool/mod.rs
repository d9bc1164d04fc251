//! Tools: functions that a model can call before it replies.

pub(crate) mod call;
pub(crate) mod choice;
pub(crate) mod text;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod tool;
