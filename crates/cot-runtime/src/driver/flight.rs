//! The futures of the directives that are being performed.

use std::{
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::{CallId, Event, Machine, Process};
use cot_model::BoxFuture;
use futures_util::{StreamExt, stream::FuturesUnordered};

use crate::clock::Reply;

/// The futures in flight. Dropping it cancels them.
#[derive(Default)]
pub(crate) enum Flight {
    #[default]
    Nothing,
    One(Performed),
    Many(Calls),
}

/// The futures of concurrent directives.
#[derive(Default)]
pub(crate) struct Calls {
    futures: FuturesUnordered<Call>,
    /// The newest directive that was started. Ids increase, so larger ones are yet to be started.
    newest: Option<CallId>,
}

/// One of several concurrent directives.
struct Call {
    id: CallId,
    performed: Performed,
}

/// The future of a directive.
pub(crate) enum Performed {
    Call(Reply),
    Other(BoxFuture<'static, Event>),
}

impl Flight {
    pub(crate) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub(crate) const fn is_many(&self) -> bool {
        matches!(self, Self::Many(_))
    }

    /// Polls for the next event; `None` if nothing is in flight.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        match self {
            Self::Nothing => Poll::Ready(None),
            Self::One(future) => {
                let event = ready!(future.poll(cx));
                *self = Self::Nothing;
                Poll::Ready(Some(event))
            }
            Self::Many(calls) => calls.futures.poll_next_unpin(cx),
        }
    }

    /// Returns the newest of several directives that were started.
    pub(crate) const fn newest(&self) -> Option<CallId> {
        match self {
            Self::Many(calls) => calls.newest,
            _ => None,
        }
    }

    /// Cancels the calls that the machine no longer waits for. The number of calls shows whether there are
    /// any.
    pub(crate) fn retain_pending<P: Process>(&mut self, machine: &Machine<P>) {
        if let Self::Many(calls) = self
            && calls.futures.len() > machine.pending_calls()
        {
            let futures = mem::take(&mut calls.futures).into_iter();
            calls.futures = futures.filter(|call| machine.is_pending(call.id)).collect();
        }
    }

    /// Starts the only directive of a run.
    pub(crate) fn start_one(&mut self, performed: Performed) {
        *self = Self::One(performed);
    }

    /// Adds one of several directives. Its id must be larger than those added before.
    pub(crate) fn add(&mut self, id: CallId, performed: Performed) {
        if !self.is_many() {
            *self = Self::Many(Calls::default());
        }
        if let Self::Many(calls) = self {
            calls.futures.push(Call { id, performed });
            calls.newest = Some(id);
        }
    }
}

impl Future for Call {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        self.performed.poll(cx)
    }
}

impl Performed {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        match self {
            Self::Call(reply) => Pin::new(reply).poll(cx),
            Self::Other(event) => event.as_mut().poll(cx),
        }
    }
}
