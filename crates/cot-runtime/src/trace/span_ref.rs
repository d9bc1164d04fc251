//! A span of a tree, or the one around it if the instrument leaves it out.

use std::sync::Arc;

use cot_model::TraceContext;

use crate::trace::{
    facts::SpanFacts,
    instrument::RunSpan,
    span_event::{SpanEnd, SpanEvent},
};

/// A span, or the span around it if the instrument leaves it out.
#[derive(Clone)]
pub(crate) struct SpanRef {
    span: Arc<dyn RunSpan>,
    is_own: bool,
}

impl SpanRef {
    pub(crate) fn own(span: Arc<dyn RunSpan>) -> Self {
        Self { span, is_own: true }
    }

    /// Returns whether the instrument has made the span.
    pub(super) const fn is_own(&self) -> bool {
        self.is_own
    }

    /// Starts a span within this one, or returns this one for it.
    pub(super) fn start_child(&self, facts: &SpanFacts<'_>) -> Self {
        match self.span.start_child(facts) {
            Some(span) => Self::own(span),
            None => Self { span: Arc::clone(&self.span), is_own: false },
        }
    }

    /// Starts a span within this one; `None` if the instrument leaves it out.
    pub(crate) fn start_own_child(&self, facts: &SpanFacts<'_>) -> Option<Self> {
        self.span.start_child(facts).map(Self::own)
    }

    pub(crate) fn enter(&self, call: &mut dyn FnMut()) {
        self.span.enter(call);
    }

    pub(super) fn event(&self, event: &SpanEvent<'_>) {
        self.span.event(event);
    }

    /// Ends the span, if the instrument has made it.
    pub(crate) fn end(&self, end: &SpanEnd<'_>) {
        if self.is_own {
            self.span.end(end);
        }
    }

    pub(super) fn trace_context(&self) -> Option<TraceContext> {
        self.span.trace_context()
    }
}
