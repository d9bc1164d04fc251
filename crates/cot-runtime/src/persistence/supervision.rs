//! What a worker and the driver of one of its runs share.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The state that a worker shares with the driver of one of its runs.
#[derive(Debug)]
pub(crate) struct Supervision {
    /// Whether the worker shuts down; all its runs share it.
    is_stopping: Arc<AtomicBool>,
    /// Whether the driver has written to the journal.
    has_progressed: AtomicBool,
}

impl Supervision {
    pub(crate) fn new(is_stopping: &Arc<AtomicBool>) -> Self {
        Self { is_stopping: Arc::clone(is_stopping), has_progressed: AtomicBool::new(false) }
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Acquire)
    }

    pub(crate) fn has_progressed(&self) -> bool {
        self.has_progressed.load(Ordering::Acquire)
    }

    pub(super) fn set_progressed(&self) {
        self.has_progressed.store(true, Ordering::Release);
    }
}
