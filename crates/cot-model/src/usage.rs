//! The usage of model calls.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize, Serializer};

/// The number of calls and tokens, and their cost, of one or several model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// The number of model calls.
    pub calls: u64,
    /// The number of calls whose tokens are not known, and therefore not in the other numbers: calls that failed or
    /// were dropped after the model may have begun to write, and replies whose server reports no tokens.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncounted_calls: u64,
    /// The number of tokens of the prompts, including cached ones.
    pub input_tokens: u64,
    /// The number of tokens of the replies, including thoughts.
    pub output_tokens: u64,
    /// The number of input tokens that the engine read from its prompt cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// The number of input tokens that the engine wrote to its prompt cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// The number of output tokens that are thoughts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// The cost, in the currency of the prices. It is 0 if no price is known. Negative values and NaN count
    /// as 0.
    #[serde(default, skip_serializing_if = "is_free", serialize_with = "write_cost")]
    pub cost: f64,
}

impl Usage {
    /// Creates the usage of one call with unknown cost.
    #[must_use]
    pub const fn for_call(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            calls: 1,
            uncounted_calls: 0,
            input_tokens,
            output_tokens,
            cached_tokens: 0,
            cache_write_tokens: 0,
            reasoning_tokens: 0,
            cost: 0.0,
        }
    }

    /// Creates the usage of one call whose tokens are not known.
    ///
    /// ```
    /// use cot_core::Usage;
    ///
    /// let usage = Usage::for_call(1200, 80) + Usage::uncounted_call();
    /// assert_eq!((usage.calls, usage.uncounted_calls, usage.input_tokens), (2, 1, 1200));
    /// ```
    #[must_use]
    pub const fn uncounted_call() -> Self {
        Self { uncounted_calls: 1, ..Self::for_call(0, 0) }
    }

    /// Sets the number of input tokens that were read from the prompt cache and written to it. A number above
    /// the input tokens that remain counts as the remaining ones.
    ///
    /// ```
    /// use cot_core::Usage;
    ///
    /// let call = Usage::for_call(1200, 80).cached(1000, 500);
    /// assert_eq!((call.cached_tokens, call.cache_write_tokens), (1000, 200));
    /// ```
    #[must_use]
    pub const fn cached(mut self, read: u64, written: u64) -> Self {
        self.cached_tokens = min(read, self.input_tokens);
        self.cache_write_tokens = min(written, self.input_tokens - self.cached_tokens);
        self
    }

    /// Sets the number of output tokens that are thoughts. A number above the output tokens counts as all of
    /// them.
    #[must_use]
    pub const fn reasoning(mut self, tokens: u64) -> Self {
        self.reasoning_tokens = min(tokens, self.output_tokens);
        self
    }

    /// Sets the cost. Negative values and NaN count as 0.
    ///
    /// ```
    /// use cot_core::Usage;
    ///
    /// let call = Usage::for_call(1200, 80).cost(0.25);
    /// assert_eq!((call + call).cost, 0.5);
    /// ```
    #[must_use]
    pub const fn cost(mut self, cost: f64) -> Self {
        self.cost = normalize_cost(cost);
        self
    }

    /// Normalizes the cost reported by a model: negative values and NaN become 0, and infinity becomes
    /// finite.
    #[doc(hidden)]
    #[must_use]
    pub const fn normalize_cost(self) -> Self {
        self.cost(self.cost)
    }

    /// Returns the usage since an earlier one, of which this is the continuation.
    #[doc(hidden)]
    #[must_use]
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(earlier.calls),
            uncounted_calls: self.uncounted_calls.saturating_sub(earlier.uncounted_calls),
            input_tokens: self.input_tokens.saturating_sub(earlier.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(earlier.output_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(earlier.cached_tokens),
            cache_write_tokens: self.cache_write_tokens.saturating_sub(earlier.cache_write_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_sub(earlier.reasoning_tokens),
            cost: normalize_cost(self.cost - earlier.cost),
        }
    }

    /// Returns the number of tokens of prompts and replies together.
    #[must_use]
    pub const fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            uncounted_calls: self.uncounted_calls.saturating_add(other.uncounted_calls),
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            cache_write_tokens: self.cache_write_tokens.saturating_add(other.cache_write_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_add(other.reasoning_tokens),
            cost: normalize_cost(normalize_cost(self.cost) + normalize_cost(other.cost)),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Normalizes a cost for addition and serialization: negative values and NaN become 0, and infinity becomes
/// finite.
// A single invalid number must neither hide the cost of the other calls nor lead to an unreadable snapshot:
// JSON has no infinity. `max` returns the other operand if one is NaN.
pub const fn normalize_cost(cost: f64) -> f64 {
    cost.max(0.0).min(f64::MAX)
}

const fn min(one: u64, other: u64) -> u64 {
    if one < other { one } else { other }
}

fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

fn is_free(cost: &f64) -> bool {
    normalize_cost(*cost) == 0.0
}

/// Serializes a normalized cost.
///
/// # Errors
///
/// Returns the errors of the serializer.
pub fn write_cost<S: Serializer>(cost: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(normalize_cost(*cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_add_up_and_invalid_numbers_count_as_zero() {
        let call = |cost| Usage { cost, ..Usage::for_call(2, 3) };
        let sum =
            [0.5, f64::NAN, -4.0, 0.25].map(call).into_iter().fold(Usage::default(), Add::add);
        let expected = Usage { calls: 4, cost: 0.75, ..Usage::for_call(8, 12) };
        assert_eq!(sum, expected);
        assert_eq!((call(f64::INFINITY) + call(f64::INFINITY)).cost, f64::MAX);
        for odd in [f64::NAN, -1.0, f64::NEG_INFINITY] {
            assert_eq!(Usage::default().cost(odd).cost, 0.0);
        }
    }

    #[test]
    fn odd_counts_of_cached_tokens_and_thoughts_are_bounded() {
        let odd = Usage::for_call(100, 10).cached(u64::MAX, 50).reasoning(11);
        assert_eq!((odd.cached_tokens, odd.cache_write_tokens, odd.reasoning_tokens), (100, 0, 10));
        let sum = Usage::for_call(100, 10).cached(60, 30).reasoning(4) + odd;
        assert_eq!(
            (sum.cached_tokens, sum.cache_write_tokens, sum.reasoning_tokens),
            (160, 30, 14)
        );
    }

    #[test]
    fn usage_survives_json_whatever_it_cost() {
        for (cost, back) in
            [(0.1, 0.1), (0.0, 0.0), (f64::NAN, 0.0), (-1.0, 0.0), (f64::INFINITY, f64::MAX)]
        {
            let usage = Usage { cost, ..Usage::for_call(2, 3) };
            let json = serde_json::to_string(&usage).unwrap();
            let read: Usage = serde_json::from_str(&json).unwrap();
            assert_eq!(read.cost, back, "{json}");
            assert_eq!(json.contains("cost"), back != 0.0, "{json}");
        }
    }
}
