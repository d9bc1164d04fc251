//! The events of calls that a model holds back.

use std::time::Duration;

use cot_engine::{CallId, Machine, Process, ProcessEvent, RunEvent, internal::poll_only};

/// Returns the event of a call that a model holds back; `None` if the machine no longer waits for the call.
pub(super) fn held_call_event<P: Process>(
    machine: &mut Machine<P>,
    (id, wait): (CallId, Duration),
) -> Option<ProcessEvent<P>> {
    if !machine.is_pending(id) {
        return None;
    }
    let held = poll_only(machine, Some(id)).directives().first()?;
    let (task, item, attempt) = (held.task, held.key.item(), held.key.attempt());
    Some(RunEvent::RateLimited { task, item, attempt, wait })
}
