//! What is in flight: the futures of the directives that are being performed.

use std::{
    collections::BTreeSet,
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
    Many {
        futures: FuturesUnordered<BoxFuture<'static, Event>>,
        ids: BTreeSet<CallId>,
    },
}

impl Flight {
    pub(super) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
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
            Self::Many { futures, .. } => futures.poll_next_unpin(cx),
        }
    }

    /// Takes off with the calls of these ids that do not fly already. An answer that is no longer
    /// wanted is one that the machine ignores.
    pub(super) fn only(
        &mut self,
        wanted: Vec<CallId>,
        mut begin: impl FnMut(usize) -> BoxFuture<'static, Event>,
    ) {
        if !matches!(self, Self::Many { .. }) {
            *self = Self::Many { futures: FuturesUnordered::new(), ids: BTreeSet::new() };
        }
        if let Self::Many { futures, ids } = self {
            for (index, id) in wanted.iter().enumerate() {
                if !ids.contains(id) {
                    futures.push(begin(index));
                }
            }
            *ids = wanted.into_iter().collect();
        }
    }
}
