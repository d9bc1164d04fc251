//! Shows runs on a terminal while they happen.
//!
//! A [`Progress`] is a display that runs report to: tasks, attempts, the text that a model writes, tool calls,
//! items of for-each tasks as bars, waits, tokens and cost. On a terminal it is redrawn in place; elsewhere,
//! it is one plain line for each event worth telling.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// Runs on a terminal: `view` is what is shown, as a tree of tasks that events change (`apply`) and as lines
// (`lines`), without a terminal; `screen` draws lines in place, `plain` writes a line for each event; `display`
// connects them; `bar` is work that the program counts.

mod bar;
mod display;
mod plain;
mod progress;
mod screen;
mod text;
mod view;
mod writer;

pub use bar::Bar;
pub use progress::Progress;
pub use writer::ProgressWriter;
