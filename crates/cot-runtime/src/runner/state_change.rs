//! A change of the state of a run, on its way to the driver.

use std::any::Any;

use cot_engine::UpdateError;
use tokio::sync::oneshot;

/// The change, of a state whose type only the handle knows.
type ApplyChange = Box<dyn FnOnce(&mut dyn Any) + Send>;

/// A change of the state that waits for a task boundary.
pub(crate) struct StateChange {
    pub(crate) apply: ApplyChange,
    pub(crate) acknowledgement: Acknowledgement,
}

/// Tells the caller what became of a change; dropping it says that the run is over.
pub(crate) struct Acknowledgement(pub(super) oneshot::Sender<Result<(), UpdateError>>);

impl Acknowledgement {
    pub(crate) fn send(self, result: Result<(), UpdateError>) {
        // The caller may have dropped the future.
        let _ = self.0.send(result);
    }
}
