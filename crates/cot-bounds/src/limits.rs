//! The limits of a process, which bound what its paths do not.

use crate::{Bound, WorstCase};

/// The retries of a task that asks a model, if neither the task nor the process sets any.
pub const DEFAULT_MAX_RETRIES: u32 = 2;
/// The retries in `retry` without `max`.
pub const DEFAULT_FUNCTION_RETRIES: u32 = 2;
/// The tool calls in a visit of a task that asks a model, if neither the task nor the process limits them.
pub const DEFAULT_TOOL_CALLS: u32 = 16;
/// The same for a task that performs calls of the state.
pub const DEFAULT_HELD_CALLS: u32 = 1000;
/// The steps of a run of a process that could run without end and sets no limit.
pub const DEFAULT_MAX_STEPS: u64 = 200;

/// The limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The limit of steps.
    pub steps: Option<u64>,
    /// Whether this is the default, which counts from zero after each answer of a person.
    pub is_default: bool,
    /// The model calls that a budget allows.
    pub model_calls: Option<Bound>,
}

impl Limits {
    /// No limit.
    pub const NONE: Self = Self { steps: None, is_default: false, model_calls: None };
}

impl WorstCase {
    /// Returns the case of a process with limits, from the case of its paths and the most that a step costs.
    #[must_use]
    pub const fn limited(self, step: Self, limits: Limits) -> Self {
        let mut case = self;
        if let Some(steps) = limits.steps
            && (!limits.is_default || step.questions.is_within(0))
        {
            case = case.and(step.times(Bound::at_most(steps)));
        }
        if let Some(calls) = limits.model_calls {
            case.model_calls = case.model_calls.and(calls);
        }
        case
    }
}
