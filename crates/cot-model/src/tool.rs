//! Tools: functions that a model can call before it replies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::request::ReplySchema;

/// A function that a model can call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tool {
    /// What the function does, for the model.
    pub description: String,
    /// The name of the function, and the JSON schema of its arguments.
    pub schema: Arc<ReplySchema>,
}

/// A call of a [`Tool`] in the reply of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id of the call; empty if the engine gives none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The name of the function. It may be one that the request does not have.
    pub name: String,
    /// The arguments as the model wrote them: JSON, unless the model made a mistake.
    pub arguments: String,
}

/// The answer to a [`ToolCall`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The result as JSON text, or the error in words.
    pub text: String,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

/// A reply of a model that calls tools, with the answers to its calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolRound {
    /// The text beside the calls.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The calls, each with its answer.
    pub calls: Vec<(ToolCall, ToolResult)>,
}

impl Tool {
    /// Creates a tool.
    #[must_use]
    pub fn new(description: impl Into<String>, schema: Arc<ReplySchema>) -> Self {
        Self { description: description.into(), schema }
    }

    /// Returns the name of the function.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.schema.name
    }
}

impl ToolCall {
    /// Creates a call without an id. The arguments are JSON text.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl ToString) -> Self {
        Self { id: String::new(), name: name.into(), arguments: arguments.to_string() }
    }

    /// Sets the id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }
}

impl ToolResult {
    /// Creates a result of JSON text.
    #[must_use]
    pub fn ok(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false }
    }

    /// Creates a result that says why the call failed.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: true }
    }
}

impl ToolRound {
    /// Creates a round.
    #[must_use]
    pub fn new(text: impl Into<String>, calls: Vec<(ToolCall, ToolResult)>) -> Self {
        Self { text: text.into(), calls }
    }
}
