//! Ready-made ways to work with a model: step-by-step reasoning about one question, a todo list that the
//! model works through, a conversation with tools, and runs of processes recorded as traces.
//!
//! Users depend on `cot-core`, which re-exports everything here.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `reasoning`: one question thought through aloud (`machine` is its state, driven by messages; `process` runs it;
// `active` passes the events of the run to the machine); `plan_execute`: a todo list worked through (`process`
// declares it with its settings, `run` leaves its state in the context of the caller, `progress` reads its events,
// `window` bounds its prompts); `task_session`: conversations in the TASK format (`conversation` is their process:
// `state` has its changes as pure functions, `rules` what a model may write, `reply_parser` reads a reply while it is
// received; `session` and `turn` drive the run, `view` is what the session shows of it, `turn_events` translates the
// events of the run); `recorder`: runs as traces: `events` writes those of a run that is observed, and those of
// a journal (`journal`, `stored`), whose answers are in entries of their own (`answers`, `replies`); `outline` knows the
// tasks by name; `tools`: sets of functions that models call, which are sources of tools for processes.

mod configured_model;
mod core;
pub mod plan_execute;
pub mod reasoning;
pub mod recorder;
pub mod task_session;
#[cfg(test)]
#[path = "../../cot-task-format/src/tests/texts.rs"]
mod texts;
pub mod tools;

/// Parses a text that is usually JSON. Any other text becomes a string.
fn json_or_text(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
