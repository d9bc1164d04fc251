//! Changes of a run, as they are passed to the driver.

use cot_engine::{
    MockMode, UpdateError,
    internal::{AnyMachine, AnyUpdate},
};
use tokio::sync::oneshot;

/// A change of a run that waits for a task boundary.
pub(crate) struct StateChange {
    pub(crate) change: Change,
    pub(crate) acknowledgement: Acknowledgement,
}

pub(crate) enum Change {
    /// The change of the state as a function. Only the handle knows the type of the state.
    State(AnyUpdate),
    MockMode(MockMode),
}

impl Change {
    pub(crate) fn apply(self, machine: &mut dyn AnyMachine) -> Result<(), UpdateError> {
        match self {
            Self::State(change) => machine.update_any_state(change),
            Self::MockMode(mode) => machine.set_mock_mode(mode),
        }
    }
}

impl StateChange {
    /// Creates a change, and the future of its result.
    pub(crate) fn new(
        change: Change,
    ) -> (Self, impl Future<Output = Result<(), UpdateError>> + Send + use<>) {
        let (sender, receiver) = oneshot::channel();
        let change = Self { change, acknowledgement: Acknowledgement(sender) };
        (change, async { receiver.await.unwrap_or(Err(UpdateError::Over)) })
    }
}

/// Sends the caller the result of a change. If dropped, the caller learns that the run has ended.
pub(crate) struct Acknowledgement(oneshot::Sender<Result<(), UpdateError>>);

impl Acknowledgement {
    pub(crate) fn send(self, result: Result<(), UpdateError>) {
        // The caller may have dropped the future.
        let _ = self.0.send(result);
    }
}
