//! Ready-made ways to work with a model: one question thought through in steps, a todo list worked through, a
//! conversation with tools, and runs of processes as traces.
//!
//! Users depend on `cot-core`, which re-exports everything here.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod heard;
pub mod plan_execute;
pub mod reasoning;
pub mod recorder;
pub mod task_session;
#[cfg(test)]
#[path = "../../cot-task-format/src/tests/texts.rs"]
mod texts;
mod tools;
