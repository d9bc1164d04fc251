//! What may differ when a run is resumed.

use std::{error::Error, fmt};

use serde_json::Value;

/// What is allowed to differ when a run goes on from a snapshot.
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
    /// Nothing may differ.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The prompts may differ: the run goes on with the present ones. Those of a run that is over may always
    /// differ.
    #[must_use]
    pub fn accept_changed_prompts(mut self) -> Self {
        self.accepts_changed_prompts = true;
        self
    }

    /// A run that was halted, by a model that could not be reached for instance, begins again with the
    /// task at which it halted. Its limits are what they were.
    #[must_use]
    pub fn retry_halted(mut self) -> Self {
        self.retries_halted = true;
        self
    }

    /// The types of the state and of the outputs may differ. The migration turns the state of the
    /// snapshot into the present one; it is called only where the types of the state do differ.
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
    /// Whether runs that were halted go on.
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
