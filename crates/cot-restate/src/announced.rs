//! The calls with `effect: once` that this node has announced and not made.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

/// The calls that this node has announced and not made, by random numbers that are in the journals of their
/// runs. An execution of a run can end between the two, and the next one on this node makes the call.
#[derive(Debug, Clone, Default)]
pub(crate) struct AnnouncedCalls(Arc<Mutex<HashSet<u64>>>);

impl AnnouncedCalls {
    pub(crate) fn add(&self, call: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(call);
    }

    /// Removes a call, which can be made if this returns `true`: no other execution makes it.
    pub(crate) fn take(&self, call: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&call)
    }
}
