//! The reply of a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{tool::call::ToolCall, usage::Usage};

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
    /// The id that the service gave the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The name of the model that wrote the reply, as the service reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl ModelReply {
    /// Creates a complete reply ([`FinishReason::Stop`]) that counts as one call with no tokens.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let (finish, usage) = (FinishReason::Stop, Usage::for_call(0, 0));
        Self { text: text.into(), finish, usage, tool_calls: Vec::new(), id: None, model: None }
    }

    /// Creates a reply that calls tools, and counts as one call with no tokens.
    ///
    /// ```
    /// use cot_core::model::{ModelReply, ScriptedModel, ToolCall};
    /// use serde_json::json;
    ///
    /// let model = ScriptedModel::new([
    ///     ModelReply::calling([ToolCall::new("weather", json!({ "city": "Paris" }))]),
    ///     json!({ "rains": false }).into(),
    /// ]);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn calling(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self::new("").tool_calls(calls)
    }

    /// Sets the tools that the model calls before it gives its reply. The text is what it says beside the calls.
    #[must_use]
    pub fn tool_calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        self.tool_calls = calls.into_iter().collect();
        self
    }

    /// Sets the reason why the model stopped.
    #[must_use]
    pub fn finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// Sets the id that the service gave the reply.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the name of the model that wrote the reply.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
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
