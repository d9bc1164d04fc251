//! Options of resuming a run.

use std::{any::Any, error::Error, fmt};

use super::{
    compatibility::Rules,
    migration::{Migrate, Migration},
};

/// Options of resuming a run: the changes since the snapshot that are allowed.
///
/// ```
/// use cot_core::ResumeOptions;
///
/// let options = ResumeOptions::new().accept_changed_prompts().migrate(|run| {
///     if run.difference().has_type("Draft") {
///         run.state_mut()["signed_by"] = serde_json::json!([]);
///     }
///     if run.task() == "approve_twice" {
///         run.move_to("approve");
///     }
///     Ok(())
/// });
/// # let _ = options;
/// ```
#[derive(Default)]
pub struct ResumeOptions {
    pub(crate) rules: Rules,
    pub(crate) retries_halted: bool,
    pub(crate) migration: Option<Box<Migrate>>,
    completions: Vec<Box<CompleteState>>,
}

type CompleteState = dyn Fn(&mut dyn Any) + Send + Sync;

impl ResumeOptions {
    /// Creates options that allow no changes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows changed prompts of a task that has asked already: the run continues with the current ones. Prompts
    /// of other tasks may always differ.
    #[must_use]
    pub const fn accept_changed_prompts(mut self) -> Self {
        self.rules.accepts_changed_prompts = true;
        self
    }

    /// Resumes a halted run at the task at which it halted, for instance after a model could not be reached.
    /// The limits of the run do not change.
    #[must_use]
    pub const fn retry_halted(mut self) -> Self {
        self.retries_halted = true;
        self
    }

    /// Sets the migration of runs that do not fit the present version of the process: it converts the state and
    /// can move the run to another task.
    ///
    /// It is called only for a run with [conflicts](Migration::conflicts): if the types of the state, the current
    /// task or a caller have changed in a way that keeps the run from continuing. If the run is in sub-processes,
    /// it is called for each of them that has conflicts. It should change only what
    /// [the difference](Migration::difference) requires, so that it serves the runs of several versions. All
    /// conflicts that it leaves are reported, except for the types of the state: the state must then be readable
    /// as the present type.
    #[must_use]
    pub fn migrate(
        mut self,
        migration: impl Fn(&mut Migration) -> Result<(), Box<dyn Error + Send + Sync>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.migration = Some(Box::new(migration));
        self
    }
}

impl ResumeOptions {
    /// Adds a function that is called with each resumed state of type `S`, that of the run or of a sub-process,
    /// before anything else: to set what is never stored, such as a [`Secret`](cot_model::Secret).
    #[must_use]
    pub fn on_resume<S: 'static>(
        mut self,
        complete: impl Fn(&mut S) + Send + Sync + 'static,
    ) -> Self {
        self.completions.push(Box::new(move |state| {
            if let Some(state) = state.downcast_mut() {
                complete(state);
            }
        }));
        self
    }

    /// Completes a state that was read from JSON.
    #[doc(hidden)]
    pub fn complete_state(&self, state: &mut dyn Any) {
        self.completions.iter().for_each(|complete| complete(state));
    }

    /// Returns whether halted runs are retried.
    #[doc(hidden)]
    pub const fn retries_halted(&self) -> bool {
        self.retries_halted
    }

    /// Compares all tasks instead of those on which the run depends: for a driver that replays the run from
    /// its start.
    #[doc(hidden)]
    #[must_use]
    pub const fn replayed(mut self) -> Self {
        self.rules.is_replayed = true;
        self
    }
}

impl fmt::Debug for ResumeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeOptions")
            .field("accepts_changed_prompts", &self.rules.accepts_changed_prompts)
            .field("retries_halted", &self.retries_halted)
            .field("migrates", &self.migration.is_some())
            .finish()
    }
}
