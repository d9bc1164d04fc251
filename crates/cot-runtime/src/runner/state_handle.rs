//! The handle that changes the state of a run.

use std::{any::Any, fmt, marker::PhantomData, sync::Arc};

use cot_engine::{Process, UpdateError};

use crate::runner::{
    handle::Control,
    state_change::{Change, StateChange},
};

/// Changes the state of a run from another task, another thread or an observer. Made by
/// [`ActiveRun::state_handle`](crate::ActiveRun::state_handle).
///
/// Cloning it is cheap.
pub struct StateHandle<P: Process> {
    control: Arc<Control>,
    process: PhantomData<fn(P)>,
}

impl<P: Process> StateHandle<P> {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self { control: Arc::clone(control), process: PhantomData }
    }

    /// Changes the state at the next task boundary, also while the run is paused there. The change is
    /// applied entirely, or not at all if it panics. Changes are applied in the order of the calls. The
    /// current task is finished first, including its retries; so is a sub-process.
    ///
    /// The future resolves when the change is applied and, if the run is stored, durable. The run has to be
    /// polled meanwhile. Dropping the future does not cancel the change.
    ///
    /// # Errors
    ///
    /// If the change panics, or the run ends before it reaches a boundary.
    pub fn update<F>(
        &self,
        change: F,
    ) -> impl Future<Output = Result<(), UpdateError>> + Send + use<P, F>
    where
        F: FnOnce(&mut P::State) + Send + 'static,
    {
        let apply = Box::new(move |state: &mut dyn Any| {
            if let Some(state) = state.downcast_mut::<P::State>() {
                change(state);
            }
        });
        let (change, changed) = StateChange::new(Change::State(apply));
        self.control.change_state(change);
        changed
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
