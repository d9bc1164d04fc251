//! Options of resuming a run.

use std::{error::Error, fmt};

use serde_json::Value;

/// Options of resuming a run: the changes since the snapshot that are allowed.
///
/// ```
/// use cot_core::ResumeOptions;
///
/// let options = ResumeOptions::new().accept_changed_prompts().migrate(|mut state| {
///     state["fields"] = serde_json::json!([]);
///     Ok(state)
/// });
/// # let _ = options;
/// ```
#[derive(Default)]
pub struct ResumeOptions {
    pub(crate) accepts_changed_prompts: bool,
    pub(crate) retries_halted: bool,
    pub(crate) migration: Option<Box<MigrateState>>,
}

pub(crate) type MigrateState =
    dyn Fn(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync + 'static;

impl ResumeOptions {
    /// Creates options that allow no changes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows changed prompts: the run continues with the current ones. Prompts of a finished run may always
    /// differ.
    #[must_use]
    pub fn accept_changed_prompts(mut self) -> Self {
        self.accepts_changed_prompts = true;
        self
    }

    /// Resumes a halted run at the task at which it halted, for instance after a model could not be reached.
    /// The limits of the run do not change.
    #[must_use]
    pub fn retry_halted(mut self) -> Self {
        self.retries_halted = true;
        self
    }

    /// Allows changed types of the state and of outputs. The migration converts the state of the snapshot
    /// into the current one. It is called only if the types of the state differ.
    #[must_use]
    pub fn migrate(
        mut self,
        migration: impl Fn(Value) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        self.migration = Some(Box::new(migration));
        self
    }
}

impl ResumeOptions {
    /// Returns whether halted runs are retried.
    #[doc(hidden)]
    pub const fn retries_halted(&self) -> bool {
        self.retries_halted
    }
}

impl fmt::Debug for ResumeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeOptions")
            .field("accepts_changed_prompts", &self.accepts_changed_prompts)
            .field("retries_halted", &self.retries_halted)
            .field("migrates", &self.migration.is_some())
            .finish()
    }
}
