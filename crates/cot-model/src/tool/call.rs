//! Calls of tools, and their results.

use std::{borrow::Cow, collections::HashMap, fmt};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json};

/// A call of a [`Tool`](crate::Tool) in the reply of a model.
///
/// ```
/// use cot_core::model::ToolCall;
/// use serde_json::json;
///
/// let call = ToolCall::new("weather", json!({ "city": "Paris" })).with_id("call_1");
/// assert_eq!(call.arguments, r#"{"city":"Paris"}"#);
/// assert_eq!(call.to_string(), r#"weather({"city":"Paris"})"#);
/// ```
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
    /// What the client that read the call sends back to the engine with it, such as the thoughts before the call;
    /// null if nothing.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub engine_data: Value,
}

/// The result of a [`ToolCall`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The result as JSON text, or the error in words.
    pub text: String,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

impl ToolCall {
    /// Creates a call without an id. The arguments are JSON text.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl ToString) -> Self {
        let (name, arguments) = (name.into(), arguments.to_string());
        Self { id: String::new(), name, arguments, engine_data: Value::Null }
    }

    /// Sets the id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Sets what is sent back to the engine with the call.
    #[must_use]
    pub fn with_engine_data(mut self, data: Value) -> Self {
        self.engine_data = data;
        self
    }

    /// Returns the arguments as the text of a JSON object, as engines require when the call is sent back to them:
    /// as they are or, if they are something else, as an object that says so:
    /// `{"invalid_arguments": "what the model wrote"}`.
    #[must_use]
    pub fn object_arguments(&self) -> Cow<'_, str> {
        let text = &self.arguments;
        match serde_json::from_str::<HashMap<String, IgnoredAny>>(text) {
            Ok(_) => Cow::Borrowed(text),
            Err(_) if text.trim().is_empty() => Cow::Borrowed("{}"),
            Err(_) => Cow::Owned(json!({ "invalid_arguments": text }).to_string()),
        }
    }

    /// Returns the call as JSON, for models that have no other form of calls:
    /// `{"tool": "name", "arguments": {…}}`. Arguments that are not JSON become a string.
    #[must_use]
    pub fn to_json(&self) -> String {
        let name = Value::from(self.name.as_str());
        match serde_json::from_str::<IgnoredAny>(&self.arguments) {
            Ok(_) => format!(r#"{{"tool": {name}, "arguments": {}}}"#, self.arguments.trim()),
            Err(_) => {
                let arguments = Value::from(self.arguments.as_str());
                format!(r#"{{"tool": {name}, "arguments": {arguments}}}"#)
            }
        }
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

/// Formats the call like one of a function, without its id.
impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.arguments)
    }
}

/// Formats the text, marked if it is an error.
impl fmt::Display for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_error { "error: " } else { "" };
        write!(f, "{mark}{}", self.text)
    }
}
