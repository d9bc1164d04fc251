//! What is in flight: the futures of the directives that are being performed.

use std::{
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::clock::Reply;
use crate::{CallId, Event, Machine, Process, model::BoxFuture};

/// What is in flight. Dropping it stops it.
#[derive(Default)]
pub(super) enum Flight {
    #[default]
    Nothing,
    One(Call),
    Many(Calls),
}

/// Several directives at once.
#[derive(Default)]
pub(super) struct Calls {
    futures: FuturesUnordered<Call>,
    /// The newest directive that was started. Ids grow, so that those after it are yet to be started.
    newest: Option<CallId>,
}

/// A directive that is being performed.
pub(super) struct Call {
    id: CallId,
    performed: Performed,
}

/// The future of a directive.
pub(super) enum Performed {
    Call(Reply),
    Other(BoxFuture<'static, Event>),
}

impl Flight {
    pub(super) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub(super) const fn is_many(&self) -> bool {
        matches!(self, Self::Many(_))
    }

    /// The next event, if something is in flight; of several calls, the next ones are at hand at once.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        match self {
            Self::Nothing => Poll::Ready(None),
            Self::One(future) => {
                let event = ready!(future.performed.poll(cx));
                *self = Self::Nothing;
                Poll::Ready(Some(event))
            }
            Self::Many(calls) => calls.futures.poll_next_unpin(cx),
        }
    }

    /// The newest of several directives that were started.
    pub(super) const fn newest(&self) -> Option<CallId> {
        match self {
            Self::Many(calls) => calls.newest,
            _ => None,
        }
    }

    /// Drops what is in flight for which the machine no longer waits. Mostly there is nothing, which the number
    /// tells.
    pub(super) fn retain_pending<P: Process>(&mut self, machine: &Machine<P>) {
        if let Self::Many(calls) = self
            && calls.futures.len() > machine.pending_calls()
        {
            let futures = mem::take(&mut calls.futures).into_iter();
            calls.futures = futures.filter(|call| machine.is_pending(call.id)).collect();
        }
    }

    /// Adds a directive; ids grow.
    pub(super) fn add(&mut self, id: CallId, performed: Performed) {
        let call = Call { id, performed };
        *self = match mem::take(self) {
            Self::Nothing => Self::One(call),
            Self::One(first) => Self::Many([first, call].into_iter().collect()),
            Self::Many(mut calls) => {
                calls.extend([call]);
                Self::Many(calls)
            }
        };
    }
}

impl Extend<Call> for Calls {
    fn extend<I: IntoIterator<Item = Call>>(&mut self, calls: I) {
        for call in calls {
            self.newest = Some(call.id);
            self.futures.push(call);
        }
    }
}

impl FromIterator<Call> for Calls {
    fn from_iter<I: IntoIterator<Item = Call>>(calls: I) -> Self {
        let mut all = Self::default();
        all.extend(calls);
        all
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
