//! The validation rules of traces, one file for each subject.

mod arguments;
mod calls;
mod common;
pub(crate) mod marks;
mod order;
mod todos;
mod tools;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(crate) mod validate;
