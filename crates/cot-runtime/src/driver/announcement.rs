//! What a driver announces before it makes a call with [`Effect::Once`].

use std::collections::BTreeSet;

use cot_engine::{Action, CallId, Directive, Effect, Event};

/// The calls with [`Effect::Once`] that a driver has announced and not made yet.
#[derive(Default)]
pub(crate) struct AnnouncedCalls(
    #[expect(clippy::box_collection, reason = "few runs make such calls, and drivers stay small")]
    Option<Box<BTreeSet<CallId>>>,
);

impl AnnouncedCalls {
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = CallId> {
        self.0.iter().flat_map(|calls| calls.iter().copied())
    }

    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&CallId) -> bool) {
        if let Some(calls) = &mut self.0 {
            calls.retain(is_kept);
        }
    }

    fn insert(&mut self, id: CallId) {
        self.0.get_or_insert_default().insert(id);
    }

    /// Returns whether the call was there.
    pub(super) fn remove(&mut self, id: CallId) -> bool {
        self.0.as_mut().is_some_and(|calls| calls.remove(&id))
    }
}

/// Returns the event that precedes a call with [`Effect::Once`]: that it starts, or that it was interrupted,
/// if another driver has started it. Returns `None` if the call is to be made now.
pub(super) fn announcement(directive: &Directive, announced: &mut AnnouncedCalls) -> Option<Event> {
    let (Directive { id, .. }, Action::RunFunction(call)) = (directive, &directive.action) else {
        return None;
    };
    if call.effect() != Effect::Once {
        return None;
    }
    if !call.is_started() {
        announced.insert(*id);
        return Some(Event::Started { id: *id });
    }
    // Removed, so that this driver makes the call once, too.
    let is_own = announced.remove(*id);
    (!is_own).then_some(Event::Interrupted { id: *id })
}
