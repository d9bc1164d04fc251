//! The futures of the directives that are being performed.

use std::{
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::{CallId, Event, Machine, Process};
use cot_model::BoxFuture;
use futures_util::{StreamExt, stream::FuturesUnordered};

use crate::clock::ReplyFuture;

/// The futures in flight. Dropping it cancels them.
#[derive(Default)]
pub(crate) enum InFlight {
    #[default]
    Empty,
    One(DirectiveFuture),
    Concurrent(ConcurrentCalls),
}

/// The futures of concurrent directives.
#[derive(Default)]
pub(crate) struct ConcurrentCalls {
    futures: FuturesUnordered<ConcurrentCall>,
    /// The newest directive that was started. Ids increase, so larger ones are yet to be started.
    newest: Option<CallId>,
}

/// One of several concurrent directives.
struct ConcurrentCall {
    id: CallId,
    future: DirectiveFuture,
}

/// The future of a directive.
pub(crate) enum DirectiveFuture {
    Model(ReplyFuture),
    Other(BoxFuture<'static, Event>),
}

impl InFlight {
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    pub(crate) const fn is_concurrent(&self) -> bool {
        matches!(self, Self::Concurrent(_))
    }

    /// Polls for the next event; `None` if nothing is in flight.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        match self {
            Self::Empty => Poll::Ready(None),
            Self::One(future) => {
                let event = ready!(future.poll(cx));
                *self = Self::Empty;
                Poll::Ready(Some(event))
            }
            Self::Concurrent(calls) => calls.futures.poll_next_unpin(cx),
        }
    }

    /// Returns the newest of several directives that were started.
    pub(crate) const fn newest(&self) -> Option<CallId> {
        match self {
            Self::Concurrent(calls) => calls.newest,
            _ => None,
        }
    }

    /// Cancels the calls that the machine no longer waits for. The number of calls shows whether there are
    /// any.
    pub(crate) fn retain_pending<P: Process>(&mut self, machine: &Machine<P>) {
        if let Self::Concurrent(calls) = self
            && calls.futures.len() > machine.pending_calls()
        {
            let futures = mem::take(&mut calls.futures).into_iter();
            calls.futures = futures.filter(|call| machine.is_pending(call.id)).collect();
        }
    }

    /// Starts the only directive of a run.
    pub(crate) fn start_one(&mut self, future: DirectiveFuture) {
        *self = Self::One(future);
    }

    /// Adds one of several directives. Its id must be larger than those added before.
    pub(crate) fn add(&mut self, id: CallId, future: DirectiveFuture) {
        if !self.is_concurrent() {
            *self = Self::Concurrent(ConcurrentCalls::default());
        }
        if let Self::Concurrent(calls) = self {
            calls.futures.push(ConcurrentCall { id, future });
            calls.newest = Some(id);
        }
    }
}

impl Future for ConcurrentCall {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        self.future.poll(cx)
    }
}

impl DirectiveFuture {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        match self {
            Self::Model(reply) => Pin::new(reply).poll(cx),
            Self::Other(event) => event.as_mut().poll(cx),
        }
    }
}
