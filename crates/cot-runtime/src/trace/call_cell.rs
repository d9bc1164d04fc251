//! The span of a call, shared by its future and the tree of spans.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use cot_model::TraceContext;

use crate::trace::{
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
};

/// The span of a call. It is created with the future of the call, gets its span before the first poll, and loses it
/// when the span ends, whatever becomes of the future.
#[derive(Default)]
pub(crate) struct CallCell {
    scope: Mutex<Option<Arc<CallScope>>>,
    has_chunk: AtomicBool,
}

/// What is current while a call is polled.
struct CallScope {
    span: Option<SpanRef>,
    context: Option<TraceContext>,
}

impl CallCell {
    /// Sets the span and the context of the call.
    pub(super) fn start(&self, span: Option<SpanRef>, context: Option<TraceContext>) {
        self.replace((span.is_some() || context.is_some()).then(|| CallScope { span, context }));
    }

    /// Calls a function within the span, unless the span has ended.
    pub(crate) fn enter(&self, call: &mut dyn FnMut()) {
        let scope = self.scope();
        let Some(CallScope { span, context }) = scope.as_deref() else { return call() };
        let mut entered = || match span {
            Some(span) => span.enter(call),
            None => call(),
        };
        match context {
            Some(context) => context.scope(&mut entered),
            None => entered(),
        }
    }

    /// Receives a chunk of the reply.
    pub(crate) fn note_chunk(&self) {
        if !self.has_chunk.swap(true, Ordering::Relaxed) {
            self.event(&SpanEvent::FirstChunk);
        }
    }

    pub(super) fn event(&self, event: &SpanEvent<'_>) {
        if let Some(CallScope { span: Some(span), .. }) = self.scope().as_deref() {
            span.event(event);
        }
    }

    /// Ends the span, unless it has ended.
    pub(crate) fn end(&self, end: &SpanEnd<'_>) {
        if let Some(CallScope { span: Some(span), .. }) = self.replace(None).as_deref() {
            span.end(end);
        }
    }

    fn scope(&self) -> Option<Arc<CallScope>> {
        self.scope.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, scope: Option<CallScope>) -> Option<Arc<CallScope>> {
        let scope = scope.map(Arc::new);
        std::mem::replace(&mut *self.scope.lock().unwrap_or_else(PoisonError::into_inner), scope)
    }
}
