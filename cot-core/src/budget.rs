//! What a run may consume.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Usage;

/// What the model calls of a run may consume. Once a limit is reached, no further call is made.
///
/// ```
/// use cot_core::{Budget, Usage};
///
/// let budget = Budget { tokens: Some(1000), ..Budget::NONE };
/// assert!(!budget.is_used_up_by(&Usage::of_call(800, 100)));
/// assert!(budget.is_used_up_by(&Usage::of_call(800, 200)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Tokens of prompts and replies together.
    pub tokens: Option<u64>,
    /// Model calls.
    pub calls: Option<u64>,
    /// Cost, in the unit in which the engines' prices are given.
    pub cost: Option<f64>,
}

impl Budget {
    /// No limit.
    pub const NONE: Self = Self { tokens: None, calls: None, cost: None };

    /// Whether one of the limits is reached.
    #[must_use]
    pub fn is_used_up_by(&self, usage: &Usage) -> bool {
        self.tokens.is_some_and(|limit| usage.total_tokens() >= limit)
            || self.calls.is_some_and(|limit| usage.calls >= limit)
            || self.cost.is_some_and(|limit| usage.cost >= limit)
    }

    /// What is left after some usage.
    #[must_use]
    pub fn after(&self, usage: &Usage) -> Self {
        Self {
            tokens: self.tokens.map(|limit| limit.saturating_sub(usage.total_tokens())),
            calls: self.calls.map(|limit| limit.saturating_sub(usage.calls)),
            cost: self.cost.map(|limit| (limit - usage.cost).max(0.0)),
        }
    }

    /// The tighter of two budgets, limit by limit.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            tokens: tighter(self.tokens, other.tokens, u64::min),
            calls: tighter(self.calls, other.calls, u64::min),
            cost: tighter(self.cost, other.cost, f64::min),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            self.tokens.map(|tokens| format!("{tokens} tokens")),
            self.calls.map(|calls| format!("{calls} calls")),
            self.cost.map(|cost| format!("a cost of {cost}")),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        f.write_str(&if limits.is_empty() { "no limit".to_owned() } else { limits.join(", ") })
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::NONE
    }
}

fn tighter<T>(a: Option<T>, b: Option<T>, least: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(least(a, b)),
        (one, other) => one.or(other),
    }
}
