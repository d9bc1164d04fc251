//! Changes of the state from outside, between two tasks.

use super::{
    Active, Machine, RunEvent, host::Host, naming::task_at, panics::caught, phase::Phase,
    typed::Typed,
};
use crate::{Process, UpdateError, blueprint::TaskIndex, panicked::in_words};

impl<P: Process> Machine<P> {
    /// Whether the machine itself is between two tasks, and not a process within it.
    #[must_use]
    pub fn is_between_tasks(&self) -> bool {
        self.core().is_some_and(|core| matches!(core.phase, Phase::At(_)))
    }

    /// Changes the state from outside between two tasks: wholly or, where the change panics, not at all.
    ///
    /// # Errors
    ///
    /// When the change panics, when the machine is at a task, and when no run is under way.
    pub fn update_state(&mut self, change: impl FnOnce(&mut P::State)) -> Result<(), UpdateError> {
        match &mut self.run {
            Some(Active { core, host, .. }) => match core.phase {
                Phase::At(ref arrival) => host.update_state(arrival.task, change),
                Phase::Finished { .. } => Err(UpdateError::Over),
                _ => Err(UpdateError::InTask),
            },
            None => Err(UpdateError::Over),
        }
    }

    /// Changes the state from outside at any time, to put a [`Secret`](crate::Secret) back after a resumption, for
    /// instance. A run that has not been started has none.
    pub fn change_state(&mut self, change: impl FnOnce(&mut P::State)) {
        if let Some(run) = &mut self.run {
            change(run.host.state_mut());
        }
    }
}

impl<P: Process> Host<P> {
    /// Changes the state from outside, wholly or not at all.
    fn update_state(
        &mut self,
        task: TaskIndex,
        change: impl FnOnce(&mut P::State),
    ) -> Result<(), UpdateError> {
        let mut state = self.state.clone();
        let changed = caught(|| change(&mut state));
        changed.map_err(|payload| UpdateError::Panicked(in_words(&*payload)))?;
        *self.state_mut() = state;
        if self.is_recording() {
            self.push_event(RunEvent::StateUpdated { task: task_at::<P>(task) });
        }
        Ok(())
    }
}
