//! The settings of a chain, as its process reads them.

use std::sync::Arc;

use super::{format::Formats, window};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLimits {
    /// How often a run asks [`Execute`](super::Execute). Defaults to 50.
    pub steps: u64,
    /// How often a stage is asked again after an unusable reply, with the issues in the prompt. Defaults to 2, and is at
    /// most 5. A reply that was cut off by the token limit, or in which the model refused, is not retried.
    pub retries: u32,
    /// The bytes of the work that a prompt shows in place of `{context}`. Defaults to 32 KiB. The newest work is shown
    /// whole and older work in a line each, so that the prompts of a run of 50 steps together have at most five times the
    /// bytes of its work, or 2 KiB each if that is more, beside the plan and the fixed part. A plan that is longer than a
    /// quarter of the limit is shown without the tasks that are done.
    pub context_bytes: usize,
}

impl Default for ChainLimits {
    fn default() -> Self {
        Self { steps: 50, retries: 2, context_bytes: window::BUDGET }
    }
}
