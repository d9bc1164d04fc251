#![cfg_attr(doc, doc = include_str!("../docs/links.in"))]
#![doc = include_str!("../docs/task_format.md")]

#[doc(inline)]
pub use cot_agents::{
    recorder::{RunRecorder, load_trace},
    task_session as session,
};
#[doc(inline)]
pub use cot_task_format::{
    Block, BlockKind, Call, CallSummary, Code, Diagnostic, Entry, Expr, JsonError, Located,
    MAX_DEPTH, Number, Object, ParseErrors, Position, Recovery, Report, Severity, Stream, Todo,
    TodoItem, Tool, ToolError, Trace, Value, check, decode, format, parse, recover, validate,
};
