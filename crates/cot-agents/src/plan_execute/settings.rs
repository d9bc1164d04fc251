//! The settings of a chain, as its process reads them.

use std::{fmt, sync::Arc};

use super::format::Formats;
use crate::tools::ToolSet;

/// The settings of a chain: the context of the process [`PlanExecute`](super::PlanExecute).
///
/// [`ChainOfThought::settings`](super::ChainOfThought::settings) creates them.
#[derive(Clone)]
pub struct ChainSettings {
    pub(super) plan_prompt: String,
    pub(super) execute_prompt: String,
    pub(super) tools: ToolSet,
    pub(super) formats: Arc<Formats>,
    pub(super) max_steps: u64,
    pub(super) max_retries: u32,
    pub(super) max_context_bytes: usize,
}

impl ChainSettings {
    /// Returns the tools.
    #[must_use]
    pub const fn tools(&self) -> &ToolSet {
        &self.tools
    }
}

impl fmt::Debug for ChainSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainSettings")
            .field("tools", &self.tools)
            .field("max_steps", &self.max_steps)
            .field("max_retries", &self.max_retries)
            .field("max_context_bytes", &self.max_context_bytes)
            .finish_non_exhaustive()
    }
}
