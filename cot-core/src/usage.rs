//! What model calls consumed.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Tokens and calls, of one call or added up over several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Model calls made.
    pub calls: u64,
    /// Tokens of the prompts.
    pub input_tokens: u64,
    /// Tokens of the replies.
    pub output_tokens: u64,
}

impl Usage {
    /// The usage of one call.
    #[must_use]
    pub const fn of_call(input_tokens: u64, output_tokens: u64) -> Self {
        Self { calls: 1, input_tokens, output_tokens }
    }

    /// Tokens of prompts and replies together.
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
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
