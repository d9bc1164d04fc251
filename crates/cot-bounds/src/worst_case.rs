//! The bounds of all quantities.

use std::fmt;

use crate::{Bound, Quantity};

/// What a run can use up at most, from its start to its end.
///
/// ```
/// use cot_bounds::{Bound, WorstCase};
///
/// let call = WorstCase { model_calls: Bound::at_most(1), ..WorstCase::NOTHING };
/// let three = call.times(Bound::at_most(3));
/// assert_eq!(three.plus(call).model_calls, Bound::at_most(4));
/// assert_eq!(three.or(call).model_calls, Bound::at_most(3));
/// assert_eq!(call.times(Bound::UNBOUNDED).to_string(), "unbounded model calls");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorstCase {
    /// Calls of models, with those of retries, fallback engines and rounds of tool calls.
    pub model_calls: Bound,
    /// Calls of functions: those of tasks and tools, and async checks.
    pub function_calls: Bound,
    /// Questions to people. One that is asked again after a wrong answer counts once.
    pub questions: Bound,
    /// Tokens of replies.
    pub output_tokens: Bound,
    /// Bytes of prompts that are fixed in the declaration.
    pub prompt_bytes: Bound,
}

impl WorstCase {
    /// Nothing is used up.
    pub const NOTHING: Self = Self::all(Bound::ZERO);
    /// Everything can be used up.
    pub const UNBOUNDED: Self = Self::all(Bound::UNBOUNDED);

    /// Returns the bound of a quantity.
    #[must_use]
    pub const fn bound(&self, quantity: Quantity) -> Bound {
        match quantity {
            Quantity::ModelCalls => self.model_calls,
            Quantity::FunctionCalls => self.function_calls,
            Quantity::Questions => self.questions,
            Quantity::OutputTokens => self.output_tokens,
            Quantity::PromptBytes => self.prompt_bytes,
        }
    }

    /// Creates the case of these bounds.
    #[must_use]
    pub fn from_fn(bound: impl Fn(Quantity) -> Bound) -> Self {
        Self {
            model_calls: bound(Quantity::ModelCalls),
            function_calls: bound(Quantity::FunctionCalls),
            questions: bound(Quantity::Questions),
            output_tokens: bound(Quantity::OutputTokens),
            prompt_bytes: bound(Quantity::PromptBytes),
        }
    }

    /// Returns the case in which every quantity has the same bound.
    #[must_use]
    pub const fn all(bound: Bound) -> Self {
        Self {
            model_calls: bound,
            function_calls: bound,
            questions: bound,
            output_tokens: bound,
            prompt_bytes: bound,
        }
    }

    /// Returns the case of two things that happen one after the other.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            model_calls: self.model_calls.plus(other.model_calls),
            function_calls: self.function_calls.plus(other.function_calls),
            questions: self.questions.plus(other.questions),
            output_tokens: self.output_tokens.plus(other.output_tokens),
            prompt_bytes: self.prompt_bytes.plus(other.prompt_bytes),
        }
    }

    /// Returns the case of a thing that happens `count` times.
    #[must_use]
    pub const fn times(self, count: Bound) -> Self {
        Self {
            model_calls: self.model_calls.times(count),
            function_calls: self.function_calls.times(count),
            questions: self.questions.times(count),
            output_tokens: self.output_tokens.times(count),
            prompt_bytes: self.prompt_bytes.times(count),
        }
    }

    /// Returns the case of one of two things: the larger bound of each quantity.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            model_calls: self.model_calls.or(other.model_calls),
            function_calls: self.function_calls.or(other.function_calls),
            questions: self.questions.or(other.questions),
            output_tokens: self.output_tokens.or(other.output_tokens),
            prompt_bytes: self.prompt_bytes.or(other.prompt_bytes),
        }
    }

    /// Returns the case of a thing with two bounds: the smaller one of each quantity.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            model_calls: self.model_calls.and(other.model_calls),
            function_calls: self.function_calls.and(other.function_calls),
            questions: self.questions.and(other.questions),
            output_tokens: self.output_tokens.and(other.output_tokens),
            prompt_bytes: self.prompt_bytes.and(other.prompt_bytes),
        }
    }
}

/// Writes the quantities that a run can use up: `12 model calls, 3 questions`.
impl fmt::Display for WorstCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = Quantity::ALL.map(|quantity| (self.bound(quantity), quantity));
        let used = used.iter().filter(|(bound, _)| *bound != Bound::ZERO);
        let texts: Vec<String> =
            used.map(|(bound, quantity)| format!("{bound} {quantity}")).collect();
        f.write_str(&if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") })
    }
}
