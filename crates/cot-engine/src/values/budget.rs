//! Limits of what a run may consume.

use std::fmt;

use cot_model::Usage;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

/// Limits of what the model calls of a run may consume. Once a limit is reached, no further call is made.
///
/// ```
/// use cot_core::{Budget, Usage};
///
/// let budget = Budget { tokens: Some(1000), ..Budget::NONE };
/// assert!(!budget.is_exhausted_by(&Usage::for_call(800, 100)));
/// assert!(budget.is_exhausted_by(&Usage::for_call(800, 200)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Budget {
    /// Tokens of prompts and replies together.
    pub tokens: Option<u64>,
    /// Model calls.
    pub calls: Option<u64>,
    /// Cost, in the currency of the engines' prices. NaN means no limit.
    pub cost: Option<f64>,
}

impl Budget {
    /// No limit.
    pub const NONE: Self = Self { tokens: None, calls: None, cost: None };

    /// Returns whether no limit is set.
    pub(crate) const fn is_unlimited(&self) -> bool {
        self.tokens.is_none() && self.calls.is_none() && self.cost.is_none()
    }

    /// Returns whether one of the limits is reached.
    #[must_use]
    pub fn is_exhausted_by(&self, usage: &Usage) -> bool {
        self.tokens.is_some_and(|limit| usage.total_tokens() >= limit)
            || self.calls.is_some_and(|limit| usage.calls >= limit)
            || self.cost.is_some_and(|limit| usage.cost >= limit)
    }

    /// Returns the rest of the budget after some usage.
    #[must_use]
    pub fn after(&self, usage: &Usage) -> Self {
        Self {
            tokens: self.tokens.map(|limit| limit.saturating_sub(usage.total_tokens())),
            calls: self.calls.map(|limit| limit.saturating_sub(usage.calls)),
            cost: self
                .cost
                .filter(|limit| !limit.is_nan())
                .map(|limit| (limit - usage.cost).max(0.0)),
        }
    }

    /// Returns the budget of which this is the rest after some usage: the reverse of [`after`](Self::after).
    #[must_use]
    pub(crate) fn before(&self, usage: &Usage) -> Self {
        Self {
            tokens: self.tokens.map(|left| left.saturating_add(usage.total_tokens())),
            calls: self.calls.map(|left| left.saturating_add(usage.calls)),
            cost: self.cost.map(|left| left + usage.cost),
        }
    }

    /// Returns the tighter of two budgets, limit by limit.
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

impl Serialize for Budget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON has no infinities; they are written as the largest number.
        let cost = self.cost.filter(|limit| !limit.is_nan());
        let mut fields = serializer.serialize_struct("Budget", 3)?;
        fields.serialize_field("tokens", &self.tokens)?;
        fields.serialize_field("calls", &self.calls)?;
        fields.serialize_field("cost", &cost.map(|limit| limit.clamp(f64::MIN, f64::MAX)))?;
        fields.end()
    }
}

fn tighter<T>(a: Option<T>, b: Option<T>, least: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(least(a, b)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest for a sub-process and the budget read from a snapshot mean the same as the budget itself.
    #[test]
    fn a_limit_means_the_same_everywhere() {
        let limits = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 0.5, 2.0];
        for limit in limits.map(Some).into_iter().chain([None]) {
            let budget = Budget { cost: limit, ..Budget::NONE };
            let json = serde_json::to_string(&budget).unwrap();
            let read: Budget = serde_json::from_str(&json).unwrap();
            for cost in [0.0, 1.0, f64::MAX / 2.0] {
                let usage = Usage::for_call(3, 4).cost(cost);
                let is_used_up = budget.is_exhausted_by(&usage);
                assert_eq!(read.is_exhausted_by(&usage), is_used_up, "{limit:?} {json} {cost}");
                let left = budget.after(&usage);
                assert_eq!(left.is_exhausted_by(&Usage::default()), is_used_up, "{limit:?} {cost}");
            }
        }
    }
}
