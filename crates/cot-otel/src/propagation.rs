//! Contexts of traces as OpenTelemetry and as the library have them.

use std::str::FromStr as _;

use cot_model::TraceContext;
use cot_runtime::RunFacts;
use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState},
};

/// Returns the context of a span that may be in another program.
pub(crate) fn to_otel(context: &TraceContext) -> SpanContext {
    let state = context.trace_state().and_then(|state| TraceState::from_str(state).ok());
    SpanContext::new(
        TraceId::from_bytes(context.trace_id()),
        SpanId::from_bytes(context.span_id()),
        TraceFlags::new(context.flags()),
        true,
        state.unwrap_or_default(),
    )
}

/// Returns the context that a span sends to other services; `None` if the span is not valid, as without an SDK.
pub(crate) fn from_otel(span: &SpanContext) -> Option<TraceContext> {
    let context = TraceContext::new(span.trace_id().to_bytes(), span.span_id().to_bytes())?;
    let context = context.sampled(span.is_sampled());
    let state = span.trace_state().header();
    Some(context.clone().with_trace_state(&state).unwrap_or(context))
}

/// Returns the context in which the span of a run starts.
///
/// The program's own active span is the parent, unless the run has another caller. A run that is resumed by nobody
/// but its stored caller starts a trace of its own, since its earlier trace may be old.
pub(crate) fn parent_of(run: &RunFacts<'_>) -> Context {
    let active = Context::current();
    let Some(caller) = run.caller else { return active };
    let span = active.span().span_context().clone();
    let is_active = span.span_id().to_bytes() == caller.span_id();
    let has_begun_in_trace =
        run.begun_in.is_some_and(|begun| begun.trace_id() == caller.trace_id());
    if is_active || (has_begun_in_trace && run.is_resumed) {
        return active;
    }
    active.with_remote_span_context(to_otel(caller))
}
