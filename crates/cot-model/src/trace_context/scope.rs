//! The current context of a thread.

use std::{
    cell::RefCell,
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{model::BoxFuture, trace_context::context::TraceContext};

thread_local! {
    static CURRENT: RefCell<Option<TraceContext>> = const { RefCell::new(None) };
}

impl TraceContext {
    /// Returns the context of the innermost scope that is open in this thread.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Calls a function with this context as the [current](Self::current) one. The scope ends with the function,
    /// even by a panic.
    pub fn scope<T>(&self, call: impl FnOnce() -> T) -> T {
        let _outer = OuterContext(CURRENT.replace(Some(self.clone())));
        call()
    }

    /// Makes this context the [current](Self::current) one while a future is polled.
    pub fn in_scope<'a, F: Future + Send + 'a>(self, future: F) -> InTraceContext<'a, F::Output> {
        InTraceContext { context: self, future: Box::pin(future) }
    }
}

/// A future that is polled with a trace context as the current one. Made by [`TraceContext::in_scope`].
#[must_use = "futures do nothing unless polled"]
pub struct InTraceContext<'a, T> {
    context: TraceContext,
    future: BoxFuture<'a, T>,
}

impl<T> Future for InTraceContext<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let Self { context, future } = &mut *self;
        context.scope(|| future.as_mut().poll(cx))
    }
}

impl<T> fmt::Debug for InTraceContext<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InTraceContext").field("context", &self.context).finish_non_exhaustive()
    }
}

/// The context of the outer scope, restored when it is dropped.
struct OuterContext(Option<TraceContext>);

impl Drop for OuterContext {
    fn drop(&mut self) {
        // `replace` returns the inner context, which is dropped outside of the borrow.
        drop(CURRENT.replace(self.0.take()));
    }
}
