//! The traits of whatever follows runs as spans.

use std::sync::Arc;

use cot_model::TraceContext;

use crate::trace::{
    facts::{RunFacts, SpanFacts},
    span_event::{SpanEnd, SpanEvent},
};

/// Follows runs as spans, for tracing systems. A runner gets one by
/// [`instrument`](crate::runner::builder::Runner::instrument).
///
/// The spans of a run are a tree:
///
/// ```text
/// run                      each time that a driver drives the run
/// ├─ commit                each write of its journal, if it is stored
/// └─ task                  each visit of a task
///    ├─ attempt            each attempt at the task, or at an item of it
///    │  ├─ call            of a model, a function, an async check, or a function that answers for people
///    │  ├─ tool            each attempt at a tool call
///    │  └─ task            of a sub-process
///    └─ task               of a branch
/// ```
///
/// All methods are called synchronously by the driver of the run, so that they should return quickly. A panic in one
/// is the run's.
pub trait RunInstrument: Send + Sync {
    /// Starts the span of a run; `None` if the run is not followed.
    fn start_run(&self, run: &RunFacts<'_>) -> Option<Arc<dyn RunSpan>>;
}

/// A span of a run, made by a [`RunInstrument`].
///
/// Its methods are called between its start and its [`end`](Self::end), which is called exactly once, after the ends of
/// its children.
pub trait RunSpan: Send + Sync {
    /// Starts a span within this one. `None` leaves it out: its children are started by this span, which also receives
    /// its events.
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>>;

    /// Calls `poll` once, within the span: around each poll of the call, of the write or of the run that it covers, and
    /// for an attempt around the code of the process that reads its replies. Of the spans around it, that of the run is
    /// entered already.
    fn enter(&self, poll: &mut dyn FnMut()) {
        poll();
    }

    /// Receives what happens in the span.
    fn event(&self, event: &SpanEvent<'_>) {
        let _ = event;
    }

    /// Ends the span.
    fn end(&self, end: &SpanEnd<'_>);

    /// Returns the context by which other services refer to the span. It is the [current](TraceContext::current) one
    /// while the span is entered, and that of the run is stored with the run. By default that of the span around it,
    /// or that of the caller of the run, is.
    fn trace_context(&self) -> Option<TraceContext> {
        None
    }
}
