//! Changes of the state, as they are passed to the driver.

use cot_engine::{UpdateError, internal::AnyUpdate};
use tokio::sync::oneshot;

/// A change of the state that waits for a task boundary.
pub(crate) struct StateChange {
    /// The change as a function. Only the handle knows the type of the state.
    pub(crate) apply: AnyUpdate,
    pub(crate) acknowledgement: Acknowledgement,
}

/// Sends the caller the result of a change. If dropped, the caller learns that the run has ended.
pub(crate) struct Acknowledgement(pub(super) oneshot::Sender<Result<(), UpdateError>>);

impl Acknowledgement {
    pub(crate) fn send(self, result: Result<(), UpdateError>) {
        // The caller may have dropped the future.
        let _ = self.0.send(result);
    }
}
