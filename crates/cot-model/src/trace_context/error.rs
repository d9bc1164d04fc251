//! The error of parsing a trace context.

use std::fmt;

/// The error of parsing a [`TraceContext`](crate::TraceContext).
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseTraceContextError {
    /// The text is no valid `traceparent`.
    TraceParent,
    /// The text is no valid `tracestate`.
    TraceState,
}

cot_schema::debug_as_sentence!(ParseTraceContextError);

impl fmt::Display for ParseTraceContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TraceParent => {
                "a traceparent is like `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`"
            }
            Self::TraceState => "a tracestate is a list of at most 32 members like `vendor=value`",
        })
    }
}

impl std::error::Error for ParseTraceContextError {}
