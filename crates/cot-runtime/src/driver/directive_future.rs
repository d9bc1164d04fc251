//! The futures of directives.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::Event;
use cot_model::BoxFuture;

use crate::{
    clock::ReplyFuture,
    trace::{call_cell::CallCell, span_event::SpanEnd},
};

/// The future of a directive.
pub(crate) enum DirectiveFuture {
    Model(ReplyFuture),
    Other(BoxFuture<'static, Event>),
    Traced(Box<TracedCall>),
}

/// A call that is polled, and dropped, in its span.
pub(crate) struct TracedCall {
    cell: Arc<CallCell>,
    /// `None` once it is dropped.
    call: Option<DirectiveFuture>,
}

impl DirectiveFuture {
    /// Polls the call in its span, if it has one.
    pub(crate) fn traced(self, cell: Option<Arc<CallCell>>) -> Self {
        match cell {
            Some(cell) => Self::Traced(Box::new(TracedCall { cell, call: Some(self) })),
            None => self,
        }
    }

    /// Returns whether the directive is a call of a model.
    pub(super) fn asks_model(&self) -> bool {
        match self {
            Self::Model(_) => true,
            Self::Other(_) => false,
            Self::Traced(traced) => traced.call.as_ref().is_some_and(Self::asks_model),
        }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        match self {
            Self::Model(reply) => Pin::new(reply).poll(cx),
            Self::Other(event) => event.as_mut().poll(cx),
            Self::Traced(call) => call.poll(cx),
        }
    }
}

impl TracedCall {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        let Self { cell, call: Some(call) } = self else { return Poll::Pending };
        let mut polled = Poll::Pending;
        cell.enter(&mut || polled = call.poll(cx));
        if let Poll::Ready(event) = &polled {
            cell.end(&SpanEnd::Call(event));
        }
        polled
    }
}

impl Drop for TracedCall {
    fn drop(&mut self) {
        let Self { cell, call } = self;
        cell.enter(&mut || drop(call.take()));
        cell.end(&SpanEnd::Dropped);
    }
}
