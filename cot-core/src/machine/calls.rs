//! Several calls at once, for drivers that know of those in flight.

use std::ops::Bound;

use super::{Active, CallId, Directive, Machine, core::Core};
use crate::Process;

/// Which of several calls at once a directive names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    All,
    After(CallId),
    Only(CallId),
}

impl Named {
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
    /// As [`poll`](Self::poll), but of [several calls at once](Directive::CallModels) only those with ids above
    /// `newest`: a driver that has the others in flight need not look at all of them for each answer.
    ///
    /// Ids grow, so that `newest` is the id of the last call that the driver has begun. The list is empty while
    /// the machine waits for calls in flight and has no others. A call in flight that is no longer
    /// [pending](Self::is_pending) can be dropped.
    pub fn poll_after(&mut self, newest: Option<CallId>) -> Directive<P> {
        self.poll_named(newest.map_or(Named::All, Named::After))
    }

    /// As [`poll`](Self::poll), but of several calls at once only the one that an event answers, if it does.
    pub(crate) fn poll_only(&mut self, id: Option<CallId>) -> Directive<P> {
        self.poll_named(id.map_or(Named::All, Named::Only))
    }

    pub(super) fn poll_named(&mut self, named: Named) -> Directive<P> {
        match &mut self.run {
            Some(Active { core, host }) => {
                host.forget_events();
                core.contained_advance(named, host).into_directive()
            }
            None => Directive::Idle,
        }
    }

    /// The number of calls that the machine waits for at once, after a poll that gave
    /// [several](Directive::CallModels); otherwise 0.
    #[must_use]
    pub fn pending_calls(&self) -> usize {
        self.core().map_or(0, Core::pending_calls)
    }

    /// Returns whether the machine waits for a call that is one of several at once.
    #[must_use]
    pub fn is_pending(&self, id: CallId) -> bool {
        self.core().is_some_and(|core| core.is_pending(id))
    }
}
