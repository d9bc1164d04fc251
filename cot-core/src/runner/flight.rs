//! What is in flight: the futures of the directives that are being performed.

use std::{
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_util::{StreamExt, stream::FuturesUnordered};

use crate::{CallId, Event, model::BoxFuture};

/// What is in flight. Dropping it stops it.
#[derive(Default)]
pub(super) enum Flight {
    #[default]
    Nothing,
    One(BoxFuture<'static, Event>),
    Many(Calls),
}

/// Several calls at once.
#[derive(Default)]
pub(super) struct Calls {
    futures: FuturesUnordered<Call>,
    /// The newest call that was begun. Ids grow, so that those after it are of calls yet to begin.
    newest: Option<CallId>,
}

struct Call {
    id: CallId,
    event: BoxFuture<'static, Event>,
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
                let event = ready!(future.as_mut().poll(cx));
                *self = Self::Nothing;
                Poll::Ready(Some(event))
            }
            Self::Many(calls) => calls.futures.poll_next_unpin(cx),
        }
    }

    /// Has the calls of these ids in flight, and no others: begins those that do not fly yet, and
    /// drops what flies and is not among them.
    pub(super) fn only(
        &mut self,
        wanted: &[CallId],
        mut begin: impl FnMut(usize) -> BoxFuture<'static, Event>,
    ) {
        let mut calls = match mem::take(self) {
            Self::Many(calls) => calls,
            _ => Calls::default(),
        };
        calls.keep(wanted);
        let newest = calls.newest;
        for (index, &id) in wanted.iter().enumerate().filter(|(_, id)| Some(**id) > newest) {
            calls.futures.push(Call { id, event: begin(index) });
            calls.newest = calls.newest.max(Some(id));
        }
        *self = Self::Many(calls);
    }
}

impl Calls {
    /// Drops what is not wanted. Mostly that is nothing, which the number tells.
    fn keep(&mut self, wanted: &[CallId]) {
        let kept = wanted.iter().filter(|id| Some(**id) <= self.newest).count();
        if kept < self.futures.len() {
            let calls = mem::take(&mut self.futures).into_iter();
            self.futures = calls.filter(|call| wanted.contains(&call.id)).collect();
        }
    }
}

impl Future for Call {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        self.event.as_mut().poll(cx)
    }
}
