//! The reply of a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{tool::ToolCall, usage::Usage};

/// The reply of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The text of the reply.
    pub text: String,
    /// The reason why the model stopped.
    pub finish: FinishReason,
    /// The usage of the call, as far as the engine reports it.
    pub usage: Usage,
    /// The tools that the model calls before it gives its reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
}

impl ModelReply {
    /// Creates a complete reply ([`FinishReason::Stop`]) that counts as one call with no tokens.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let (finish, usage) = (FinishReason::Stop, Usage::for_call(0, 0));
        Self { text: text.into(), finish, usage, tool_calls: Vec::new() }
    }

    /// Creates a reply that calls tools, and counts as one call with no tokens.
    #[must_use]
    pub fn calling(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { tool_calls: calls.into_iter().collect(), ..Self::new("") }
    }

    /// Sets the reason why the model stopped.
    #[must_use]
    pub fn finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// Sets the usage.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
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

/// The reason why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The reply is complete.
    Stop,
    /// The token limit was reached: the reply is truncated.
    Length,
    /// The model or a content filter refused to answer.
    Refusal,
}
