//! What a model answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::usage::Usage;

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The text of the reply.
    pub text: String,
    /// Why the model stopped.
    pub finish: FinishReason,
    /// What the call consumed, as far as the engine says.
    pub usage: Usage,
}

impl ModelReply {
    /// A reply that came to its natural end, of unknown usage.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), finish: FinishReason::Stop, usage: Usage::of_call(0, 0) }
    }

    /// The same reply with another reason why the model stopped.
    #[must_use]
    pub fn with_finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// The same reply with its usage.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

impl From<&str> for ModelReply {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for ModelReply {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<Value> for ModelReply {
    fn from(json: Value) -> Self {
        Self::new(json.to_string())
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said everything.
    Stop,
    /// It ran into the limit of tokens: the reply is cut off.
    Length,
    /// It, or the service's filter, refused to answer.
    Refusal,
}
