//! The events of calls that a model holds back.

use std::time::Duration;

use cot_engine::{
    CallId, RunEvent,
    internal::{AnyMachine, IndexEvent},
};

/// Returns the event of a call that a model holds back; `None` if the machine no longer waits for the call.
pub(super) fn held_call_event(
    machine: &mut dyn AnyMachine,
    (id, wait): (CallId, Duration),
) -> Option<IndexEvent> {
    if !machine.is_pending(id) {
        return None;
    }
    let held = machine.poll_only(Some(id)).directives().first()?;
    let (task, item, attempt) = (held.task, held.key.item(), held.key.attempt());
    Some(RunEvent::RateLimited { task, item, attempt, wait })
}
