//! The examples of tasks: replies that precede the prompt.

pub(crate) mod example;
#[expect(clippy::module_inception, reason = "the file that the folder is about")]
pub(crate) mod examples;
pub(crate) mod task_examples;
