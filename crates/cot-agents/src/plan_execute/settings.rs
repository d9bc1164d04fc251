//! The settings of a chain, as its process reads them.

use std::sync::Arc;

use super::format::Formats;
use crate::tools::ToolSet;

/// The settings of a chain: the context of the process [`PlanExecute`](super::PlanExecute).
///
/// [`ChainOfThought::settings`](super::ChainOfThought::settings) creates them.
#[derive(Debug, Clone)]
pub struct ChainSettings {
    pub(super) plan_prompt: String,
    pub(super) execute_prompt: String,
    pub(super) tools: ToolSet,
    /// The tools that models can call natively: all, or none if vendors refuse one of their names.
    pub(super) native: ToolSet,
    pub(super) formats: Arc<Formats>,
    pub(super) limits: ChainLimits,
}

/// The limit of the retries of a stage, which the process declares.
pub(super) const MAX_RETRIES: u32 = 5;

/// The limits of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainLimits {
    pub(super) steps: u64,
    /// The retries of a stage.
    pub(super) retries: u32,
    /// The bytes of the work in a prompt.
    pub(super) context_bytes: usize,
}
