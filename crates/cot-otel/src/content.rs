//! The content of calls as attributes: messages, arguments and results, bounded.
//!
//! Messages have the JSON of the conventions. A text above the limit is cut, and of many messages the last ones are
//! kept, since they are what the model answers.

use std::collections::VecDeque;

use cot_model::{MessagePart, ModelReply, ModelRequest, Role, ToolCall};
use cot_schema::internal::truncate;
use serde_json::{Value, json};

/// The maximum number of bytes of texts in an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContentLimit(pub(crate) usize);

/// The limit unless another is set.
pub(crate) const DEFAULT_LIMIT: usize = 64 * 1024;

/// What remains of the limit of an attribute.
struct Budget(usize);

impl Budget {
    /// Returns the beginning of a text, with an ellipsis if it is cut.
    fn take(&mut self, text: &str) -> String {
        let part = bounded(text, self.0);
        self.0 = self.0.saturating_sub(part.len());
        part
    }

    /// Returns JSON text as JSON if it fits and is valid, as text otherwise.
    fn take_json(&mut self, text: &str) -> Value {
        match serde_json::from_str(text) {
            Ok(value) if text.len() <= self.0 => {
                self.0 -= text.len();
                value
            }
            _ => Value::String(self.take(text)),
        }
    }
}

/// Returns the beginning of a text of at most so many bytes, with an ellipsis if it is cut.
fn bounded(text: &str, limit: usize) -> String {
    if text.len() <= limit { text.to_owned() } else { format!("{}…", truncate(text, limit)) }
}

impl ContentLimit {
    /// Returns a text of at most the limit.
    pub(crate) fn text(self, text: &str) -> String {
        bounded(text, self.0)
    }

    /// Returns the system message; `None` if there is none.
    pub(crate) fn system(self, request: &ModelRequest) -> Option<String> {
        let text = request.system()?;
        Some(json!([{ "type": "text", "content": bounded(text, self.0) }]).to_string())
    }

    /// Returns the messages of a request without the system message.
    pub(crate) fn input(self, request: &ModelRequest) -> String {
        let mut budget = Budget(self.0);
        let mut messages = VecDeque::new();
        for message in request.messages(true).iter().rev() {
            if message.role == Role::System {
                continue;
            }
            if budget.0 == 0 {
                break;
            }
            let parts: Vec<Value> =
                message.parts.iter().map(|part| part_json(part, &mut budget)).collect();
            messages.push_front(json!({ "role": message.role.as_str(), "parts": parts }));
        }
        Value::from(Vec::from(messages)).to_string()
    }

    /// Returns the reply as the only message of the output.
    pub(crate) fn output(self, reply: &ModelReply, finish: &str) -> String {
        let mut budget = Budget(self.0);
        let mut parts = Vec::new();
        if !reply.text.is_empty() {
            parts.push(json!({ "type": "text", "content": budget.take(&reply.text) }));
        }
        parts.extend(reply.tool_calls.iter().map(|call| call_json(call, &call.id, &mut budget)));
        json!([{ "role": "assistant", "parts": parts, "finish_reason": finish }]).to_string()
    }
}

fn part_json(part: &MessagePart<'_>, budget: &mut Budget) -> Value {
    match part {
        MessagePart::Text { text, .. } => json!({ "type": "text", "content": budget.take(text) }),
        MessagePart::Image { .. } => json!({ "type": "image" }),
        MessagePart::Document { .. } => json!({ "type": "document" }),
        MessagePart::ToolCall { call, number } => call_json(call, &id_of(call, *number), budget),
        MessagePart::ToolResult { call, number, result } => json!({
            "type": "tool_call_response",
            "id": id_of(call, *number),
            "response": budget.take_json(&result.text),
        }),
        _ => json!({ "type": "other" }),
    }
}

fn call_json(call: &ToolCall, id: &str, budget: &mut Budget) -> Value {
    let arguments = budget.take_json(&call.arguments);
    json!({ "type": "tool_call", "id": id, "name": call.name, "arguments": arguments })
}

/// Returns the id of a call, or its number in the request if it has none.
fn id_of(call: &ToolCall, number: usize) -> String {
    if call.id.is_empty() { number.to_string() } else { call.id.clone() }
}
