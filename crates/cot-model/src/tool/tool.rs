//! Tools, and the rounds in which a model calls them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    message::{Message, MessagePart, Role},
    part::PartName,
    reply_schema::ReplySchema,
    segments::Stability,
    tool::call::{ToolCall, ToolResult},
};

/// A function that a model can call.
///
/// ```
/// use std::sync::Arc;
///
/// use cot_core::model::{ModelRequest, ReplySchema, Tool};
/// use serde_json::json;
///
/// let json = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
/// let schema = Arc::new(ReplySchema { name: "weather".to_owned(), json });
/// let tool = Tool::new("Looks up the weather in a city", schema);
/// assert_eq!(tool.name(), "weather");
/// let request = ModelRequest::new("Is it raining in Paris?").with_tools([tool]);
/// # let _ = request;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tool {
    /// What the function does, for the model.
    pub description: String,
    /// The name of the function, and the JSON schema of its arguments.
    pub schema: Arc<ReplySchema>,
}

/// Calls of tools with their results: those of a reply of a model, or those of a task of tool calls, whose output
/// it is.
///
/// ```
/// use cot_core::model::{ModelRequest, Role, ToolCall, ToolResult, ToolRound};
///
/// let call = ToolCall::new("weather", r#"{"city": "Paris"}"#);
/// let round = ToolRound::new("I look it up.", vec![(call, ToolResult::ok(r#""rain""#))]);
/// let request = ModelRequest::new("Is it raining in Paris?").with_rounds([round]);
/// let roles = request.messages(true).into_iter().map(|message| message.role);
/// assert_eq!(roles.collect::<Vec<_>>(), [Role::User, Role::Assistant, Role::Tool]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolRound {
    /// The text beside the calls.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The calls, each with its result.
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

impl ToolRound {
    /// Creates a round.
    #[must_use]
    pub fn new(text: impl Into<String>, calls: Vec<(ToolCall, ToolResult)>) -> Self {
        Self { text: text.into(), calls }
    }

    /// Returns the calls with their results, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&ToolCall, &ToolResult)> {
        self.calls.iter().map(|(call, result)| (call, result))
    }

    /// Returns the result of the call with an id. If several calls have the id, that of the first one.
    #[must_use]
    pub fn result(&self, id: &str) -> Option<&ToolResult> {
        self.iter().find_map(|(call, result)| (call.id == id).then_some(result))
    }

    /// Returns whether there is no call.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the message of the model, and that of the results. `before` is the number of the calls of earlier
    /// rounds.
    pub(crate) fn messages(&self, before: usize) -> impl Iterator<Item = Message<'_>> {
        let numbered =
            || self.calls.iter().enumerate().map(move |(at, call)| (before + at + 1, call));
        let (part, stability) = (PartName::Rounds, Stability::Growing);
        let text = MessagePart::Text { text: &self.text, part, stability };
        let text = (!self.text.is_empty()).then_some(text);
        let calls = numbered().map(|(number, (call, _))| MessagePart::ToolCall { call, number });
        let said =
            Message { role: Role::Assistant, parts: text.into_iter().chain(calls).collect() };
        let results = numbered().map(|(number, (call, result))| MessagePart::ToolResult {
            call,
            number,
            result,
        });
        let results = Message { role: Role::Tool, parts: results.collect() };
        [said, results].into_iter().filter(|message| !message.parts.is_empty())
    }
}
