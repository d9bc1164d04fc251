//! Ready-made ways to work with a model: step-by-step reasoning about one question, a todo list that the
//! model works through, a conversation with tools, and runs of processes recorded as traces.
//!
//! Users depend on `cot-core`, which re-exports everything here.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod core;
pub mod plan_execute;
pub mod reasoning;
pub mod recorder;
pub mod task_session;
#[cfg(test)]
#[path = "../../cot-task-format/src/tests/texts.rs"]
mod texts;
pub mod tools;
