//! What a driver announces before it makes a call with [`Effect::Once`].

use std::collections::BTreeSet;

use cot_engine::{Action, CallId, Directive, Effect, Event};

/// Returns the event that precedes a call with [`Effect::Once`]: that it starts, or that it was interrupted,
/// if another driver has started it. Returns `None` if the call is to be made now.
pub(super) fn announcement(
    directive: &Directive,
    announced: &mut BTreeSet<CallId>,
) -> Option<Event> {
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
    let is_own = announced.remove(id);
    (!is_own).then_some(Event::Interrupted { id: *id })
}
