//! The TASK format: conversations with a planning and acting model, as text.
//!
//! [`parse`] reads a text strictly, [`recover`] leniently, and a [`Stream`] incrementally. [`check`]
//! and [`validate`] report errors and warnings. A [`Trace`] is written with `to_string` and converted
//! to JSON with [`Trace::to_json`].
//!
//! ```
//! let text = "system「Help.」 user「Hello」🏷 usr1 plan { todo ↦ { 1 ↦ Greet } } act { think ↦ \"Hi!\" ⊨ 1 }\n";
//! let report = cot_task_format::check(text);
//! let codes: Vec<&str> = report.errors.iter().map(|error| error.code.as_str()).collect();
//! assert_eq!(codes, ["missing_response"]);
//!
//! let trace = cot_task_format::parse(text)?;
//! assert!(trace.todos()[0].is_satisfied);
//! assert_eq!(cot_task_format::parse(&trace.to_string()), Ok(trace));
//! # Ok::<(), cot_task_format::ParseErrors>(())
//! ```
//!
//! The module `task_format` of `cot-core` describes the grammar and runs model conversations in this
//! format.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The TASK format: `parse` reads, strictly or recovering, and never stops at a mistake; `validate` has one file for
// each kind of rule; `stream` cuts incoming text into blocks.

mod block;
mod data;
mod diagnostic;
#[doc(hidden)]
pub mod internal;
mod json;
mod lex;
mod number;
mod parse;
mod position;
mod report;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod tool;
mod validate;
mod value;
mod write;

pub use block::{Block, BlockKind, Call, Todo, TodoItem, Trace};
pub use diagnostic::{Code, Diagnostic, ParseErrors, Severity};
pub use json::JsonError;
pub use number::Number;
pub use position::Position;
pub use report::{CallSummary, Report};
pub use stream::Stream;
pub use text::{Recovery, check, decode, format, parse, recover, validate};
pub use tool::tool::{Tool, ToolError};
pub use value::{Entry, Expr, Located, MAX_DEPTH, Object, Value};
