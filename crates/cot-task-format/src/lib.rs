//! The TASK format: a conversation as text, for models that plan, act and answer.
//!
//! [`parse`] reads a text strictly, [`recover`] as it was likely meant, and a [`Stream`] while it comes in.
//! [`check`] and [`validate`] say what is wrong with it. A [`Trace`] is written by its `to_string`, and
//! exchanged as JSON by [`Trace::to_json`].
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
//! The grammar stands in the module `task_format` of `cot-core`, which also drives a model through a
//! conversation in this format.
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

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
pub use text::{Recovered, check, decode, format, parse, recover, validate};
pub use tool::tool::{Tool, ToolError};
pub use value::{Entry, Expr, MAX_DEPTH, Named, Object, Value};
