//! The values of `tools`, in a process and in a task.

pub(crate) mod names;
pub(crate) mod tool;
pub(crate) mod uses;
