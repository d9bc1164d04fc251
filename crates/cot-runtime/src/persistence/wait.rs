//! The long waits of a run.

use std::time::SystemTime;

use cot_engine::CallId;

/// A long wait of a run: for a person or a timer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub(super) id: CallId,
    pub(super) since: SystemTime,
    pub(super) until: Option<SystemTime>,
    /// Whether the wait started in an earlier driver.
    pub(super) is_resumed: bool,
}
