//! Reports that a model holds a call back, from the wrapper that does to the driver of the run.
//!
//! A wrapper runs within a poll of the driver, through any number of other wrappers. So the report goes
//! through the thread and not through their interfaces.

use std::{
    cell::{Cell, RefCell},
    mem,
    time::Duration,
};

use cot_engine::CallId;

thread_local! {
    /// The hold that was reported within the present poll of a call.
    static HOLD: Cell<Option<Duration>> = const { Cell::new(None) };
    /// The calls that were held back within the present poll of a driver.
    static HELD: RefCell<Vec<(CallId, Duration)>> = const { RefCell::new(Vec::new()) };
}

/// Reports that the call that is being polled waits at least this long.
pub(super) fn report(wait: Duration) {
    HOLD.set(Some(wait));
}

/// Forgets a hold that was reported outside of a poll of a call.
pub(crate) fn forget() {
    HOLD.set(None);
}

/// Attributes a reported hold to the call that was just polled.
pub(crate) fn attribute(id: CallId) {
    if let Some(wait) = HOLD.take() {
        HELD.with_borrow_mut(|held| held.push((id, wait)));
    }
}

/// Takes the calls that were held back since the last time. Each driver takes them after each of its polls.
pub(crate) fn take_held() -> Vec<(CallId, Duration)> {
    HELD.with_borrow_mut(mem::take)
}
