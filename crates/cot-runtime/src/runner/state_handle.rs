//! Changes of the state of a run from outside.

use std::{any::Any, fmt, marker::PhantomData, sync::Arc};

use cot_engine::{Process, UpdateError};
use tokio::sync::oneshot;

use crate::runner::{
    handle::Control,
    state_change::{Acknowledgement, StateChange},
};

/// Changes the state of a run from anywhere: another task, another thread, an observer.
///
/// Cheap to clone. [`ActiveRun::state_handle`](crate::ActiveRun::state_handle) gives one.
pub struct StateHandle<P: Process> {
    control: Arc<Control>,
    process: PhantomData<fn(P)>,
}

impl<P: Process> StateHandle<P> {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self { control: Arc::clone(control), process: PhantomData }
    }

    /// Has the run change its state at the next task boundary, also while it is paused there: wholly or, where
    /// the change panics, not at all. Changes are applied in the order of the calls. The task that is under way
    /// is finished first, with all its attempts; of a sub-process, the whole of it.
    ///
    /// The future acknowledges the change, once it is in the journal where a store keeps the run. The run has
    /// to be polled meanwhile. Dropping the future does not take the change back.
    ///
    /// # Errors
    ///
    /// When the change panics, and when the run is over before it comes to a boundary.
    pub fn update<F>(
        &self,
        change: F,
    ) -> impl Future<Output = Result<(), UpdateError>> + Send + use<P, F>
    where
        F: FnOnce(&mut P::State) + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let apply = Box::new(move |state: &mut dyn Any| {
            if let Some(state) = state.downcast_mut::<P::State>() {
                change(state);
            }
        });
        self.control.change_state(StateChange { apply, acknowledgement: Acknowledgement(sender) });
        async move { receiver.await.unwrap_or(Err(UpdateError::Over)) }
    }
}

impl<P: Process> Clone for StateHandle<P> {
    fn clone(&self) -> Self {
        Self::new(&self.control)
    }
}

impl<P: Process> fmt::Debug for StateHandle<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHandle")
            .field("process", &P::DEFINITION.about.name)
            .finish_non_exhaustive()
    }
}
