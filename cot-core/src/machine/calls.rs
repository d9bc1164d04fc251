//! Polls that list some directives, for drivers that know of those in flight.

use std::ops::{Bound, RangeBounds};

use super::{
    Active, CallId, Machine, MachinePoll, Polled,
    core::Core,
    due::Advanced,
    naming::{task_at, typed_ending},
};
use crate::Process;

/// Which directives a poll lists.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    All,
    After(CallId),
    Only(CallId),
}

impl Named {
    pub(super) fn includes(self, id: CallId) -> bool {
        self.range().contains(&id)
    }

    pub(super) const fn range(self) -> (Bound<CallId>, Bound<CallId>) {
        match self {
            Self::All => (Bound::Unbounded, Bound::Unbounded),
            Self::After(id) => (Bound::Excluded(id), Bound::Unbounded),
            Self::Only(id) => (Bound::Included(id), Bound::Included(id)),
        }
    }
}

/// Several calls at once.
impl<P: Process> Machine<P> {
    /// As [`poll`](Self::poll), but lists only directives with ids above `newest`: a driver that has the others
    /// in flight need not look at all of them for each answer.
    ///
    /// Ids grow, so that `newest` is the id of the last directive that the driver has started. The list is empty
    /// while the machine waits for directives in flight and has no others. A directive in flight that is no
    /// longer [pending](Self::is_pending) can be dropped.
    pub fn poll_after(&mut self, newest: Option<CallId>) -> MachinePoll<'_, P::Task, P::Outcome> {
        self.poll_named(newest.map_or(Named::All, Named::After))
    }

    /// As [`poll`](Self::poll), but lists only the directive that an event answers, if it does.
    pub(crate) fn poll_only(&mut self, id: Option<CallId>) -> MachinePoll<'_, P::Task, P::Outcome> {
        self.poll_named(id.map_or(Named::All, Named::Only))
    }

    pub(super) fn poll_named(&mut self, named: Named) -> MachinePoll<'_, P::Task, P::Outcome> {
        let Some(Active { core, host, polled }) = &mut self.run else {
            return MachinePoll::Idle;
        };
        let Polled { untyped, directives } = &mut **polled;
        host.forget_events();
        directives.clear();
        match core.contained_advance(named, host, untyped) {
            Advanced::Waiting => {
                let typed = untyped.drain(..).map(|directive| directive.with_task(task_at::<P>));
                directives.extend(typed);
                MachinePoll::Waiting(directives)
            }
            Advanced::Finished(ending) => {
                MachinePoll::Finished(P::outcome(typed_ending::<P>(ending)))
            }
        }
    }

    /// Returns the number of directives that the machine waits for, after a poll.
    #[must_use]
    pub fn pending_calls(&self) -> usize {
        self.core().map_or(0, Core::pending_calls)
    }

    /// Returns whether the machine waits for the answer to this directive.
    #[must_use]
    pub fn is_pending(&self, id: CallId) -> bool {
        self.core().is_some_and(|core| core.is_pending(id))
    }
}
