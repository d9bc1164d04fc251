//! The futures of the directives that are being performed.

use std::{
    collections::BTreeSet,
    iter, mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use cot_engine::{CallId, Event, internal::AnyMachine};
use futures_util::{StreamExt, stream::FuturesUnordered};

use crate::{
    driver::{announcement::AnnouncedCalls, directive_future::DirectiveFuture},
    persistence::position::Seen,
};

/// The futures in flight. Dropping it cancels them.
#[derive(Default)]
pub(crate) enum InFlight {
    #[default]
    Empty,
    One(DirectiveFuture),
    /// Boxed, since most runs wait for one directive.
    Concurrent(Box<ConcurrentCalls>),
}

/// The futures of concurrent directives.
#[derive(Default)]
pub(crate) struct ConcurrentCalls {
    futures: FuturesUnordered<ConcurrentCall>,
    /// The newest directive that was listed. Ids increase, so larger ones are yet to be performed.
    newest: Option<CallId>,
    /// The questions that are asked after the open one.
    held: BTreeSet<CallId>,
}

/// One of several concurrent directives.
struct ConcurrentCall {
    id: CallId,
    future: DirectiveFuture,
}

/// What a driver does with one of several directives.
pub(crate) enum ListedDirective {
    Started(DirectiveFuture),
    /// The question is asked after the open one.
    Held,
    /// The directive has no future: it is the open question, or a call that is announced first.
    Pending,
}

impl InFlight {
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    pub(crate) const fn is_concurrent(&self) -> bool {
        matches!(self, Self::Concurrent(_))
    }

    /// Returns whether no future is in flight.
    pub(crate) fn has_no_futures(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::One(_) => false,
            Self::Concurrent(calls) => calls.futures.is_empty(),
        }
    }

    /// Returns the number of model calls in flight.
    pub(crate) fn model_calls(&self) -> u64 {
        let futures: &mut dyn Iterator<Item = &DirectiveFuture> = match self {
            Self::Empty => &mut iter::empty(),
            Self::One(future) => &mut iter::once(future),
            Self::Concurrent(calls) => &mut calls.futures.iter().map(|call| &call.future),
        };
        futures.fold(0, |count, future| count + u64::from(future.asks_model()))
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

    /// Returns the directives of concurrent calls that were listed.
    pub(crate) fn seen(&self) -> Seen<'_> {
        const NONE: &BTreeSet<CallId> = &BTreeSet::new();
        match self {
            Self::Concurrent(calls) => Seen { newest: calls.newest, held: &calls.held },
            _ => Seen { newest: None, held: NONE },
        }
    }

    /// Cancels the calls that the machine no longer waits for. The number of calls shows whether there are
    /// any. Calls that are announced or `waiting` have no future yet, and the open question may have none.
    pub(crate) fn retain_pending(
        &mut self,
        machine: &dyn AnyMachine,
        (announced, waiting): (&AnnouncedCalls, usize),
        question: Option<CallId>,
    ) {
        if let Self::Concurrent(calls) = self {
            calls.held.retain(|id| machine.is_pending(*id));
            let has_future = |id| calls.futures.iter().any(|call| call.id == id);
            let is_bare = question.is_some_and(|id| !has_future(id));
            let announced = announced.iter().filter(|id| machine.is_pending(*id)).count();
            let without_future = calls.held.len() + announced + waiting + usize::from(is_bare);
            if calls.futures.len() + without_future > machine.pending_calls() {
                calls.retain(|id| machine.is_pending(id));
            }
        }
    }

    /// Cancels a directive, if it is in flight.
    pub(crate) fn cancel(&mut self, id: CallId) {
        match self {
            Self::Concurrent(calls) => calls.retain(|call| call != id),
            _ => *self = Self::Empty,
        }
    }

    /// Starts the only directive of a run.
    pub(crate) fn start_one(&mut self, future: DirectiveFuture) {
        *self = Self::One(future);
    }

    /// Adds one of several directives.
    pub(crate) fn add(&mut self, id: CallId, listed: ListedDirective) {
        if !self.is_concurrent() {
            *self = Self::Concurrent(Box::default());
        }
        if let Self::Concurrent(calls) = self {
            calls.newest = calls.newest.max(Some(id));
            match listed {
                ListedDirective::Started(future) => calls.start(id, future),
                ListedDirective::Held => drop(calls.held.insert(id)),
                ListedDirective::Pending => {}
            }
        }
    }
}

impl ConcurrentCalls {
    pub(crate) fn start(&mut self, id: CallId, future: DirectiveFuture) {
        self.futures.push(ConcurrentCall { id, future });
    }

    /// Adds the future of a directive, if it has one.
    pub(crate) fn start_if_some(&mut self, id: CallId, future: Option<DirectiveFuture>) {
        if let Some(future) = future {
            self.start(id, future);
        }
    }

    /// Takes the oldest question that was kept.
    pub(crate) fn next_held(&mut self) -> Option<CallId> {
        self.held.pop_first()
    }

    fn retain(&mut self, keeps: impl Fn(CallId) -> bool) {
        let futures = mem::take(&mut self.futures).into_iter();
        self.futures = futures.filter(|call| keeps(call.id)).collect();
    }
}

impl Future for ConcurrentCall {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        self.future.poll(cx)
    }
}
