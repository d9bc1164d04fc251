#![doc = include_str!("../../docs/task_format.md")]

mod recorder;
pub mod session;

#[cfg(test)]
#[path = "../../../crates/cot-task-format/src/tests/texts.rs"]
mod texts;

#[doc(inline)]
pub use cot_task_format::{
    Block, BlockKind, Call, CallSummary, Code, Diagnostic, Entry, Expr, JsonError, MAX_DEPTH,
    Named, Number, Object, ParseErrors, Position, Recovered, Report, Severity, Stream, Todo,
    TodoItem, Tool, ToolError, Trace, Value, check, decode, format, parse, recover, validate,
};
pub use recorder::RunRecorder;
