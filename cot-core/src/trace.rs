//! Runs as spans of a trace: the interface for tracing systems.

#[doc(inline)]
pub use cot_model::TraceContext;
#[doc(inline)]
pub use cot_runtime::{
    AttemptFacts, CommitFacts, FunctionCallFacts, ModelCallFacts, PersonFacts, RunFacts,
    RunInstrument, RunSpan, SpanEnd, SpanEvent, SpanFacts, TaskFacts, ToolCallFacts,
};
