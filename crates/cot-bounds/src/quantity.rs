//! What a run uses up.

use std::fmt;

/// Something that a run uses up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Calls of models, with those of retries, fallback engines and rounds of tool calls.
    ModelCalls,
    /// Calls of functions: those of tasks and tools, and async checks.
    FunctionCalls,
    /// Questions to people. One that is asked again after a wrong answer counts once.
    Questions,
    /// Tokens of replies.
    OutputTokens,
    /// Bytes of prompts that are fixed in the declaration.
    PromptBytes,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 5] = [
        Self::ModelCalls,
        Self::FunctionCalls,
        Self::Questions,
        Self::OutputTokens,
        Self::PromptBytes,
    ];

    /// Returns the name, in the plural.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ModelCalls => "model calls",
            Self::FunctionCalls => "function calls",
            Self::Questions => "questions",
            Self::OutputTokens => "output tokens",
            Self::PromptBytes => "bytes of declared prompts",
        }
    }

    /// Returns the name of the quantity as a member of JSON.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::ModelCalls => "model_calls",
            Self::FunctionCalls => "function_calls",
            Self::Questions => "questions",
            Self::OutputTokens => "output_tokens",
            Self::PromptBytes => "prompt_bytes",
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
