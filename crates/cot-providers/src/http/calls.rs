//! Reading of tool calls in chat completions, whole and in pieces.

use std::collections::BTreeMap;

use cot_model::ToolCall;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    AttemptError,
    call_data::{CALL_DATA, MESSAGE_DATA, check_names},
};

/// The bytes that count towards the limit of a reply for each call, besides its texts.
pub(crate) const CALL_BYTES: usize = 64;

/// The arguments of a call for which the server sent none.
const NO_ARGUMENTS: &str = "{}";

/// A call, or a piece of one in a stream.
#[derive(Deserialize)]
struct CallPiece {
    /// The place of the call in the reply. Some servers send none, or the same for all calls.
    #[serde(default)]
    index: Value,
    #[serde(default)]
    id: Value,
    function: Option<FunctionPiece>,
    /// What Gemini's server needs to see again.
    #[serde(default)]
    extra_content: Value,
}

/// The function of a call, or a piece of it.
#[derive(Deserialize)]
struct FunctionPiece {
    #[serde(default)]
    name: Value,
    /// JSON in a string; some servers send the object itself.
    #[serde(default)]
    arguments: Value,
}

impl CallPiece {
    /// Returns whether the piece has neither an id nor a name, so that it can only continue a call.
    fn opens_none(&self) -> bool {
        let is_empty = |value: &Value| text(value).unwrap_or_default().is_empty();
        let name = self.function.as_ref().map(|function| &function.name);
        is_empty(&self.id) && name.is_none_or(is_empty)
    }
}

impl From<FunctionPiece> for CallPiece {
    /// Converts the only call of servers with the older API.
    fn from(function: FunctionPiece) -> Self {
        let none = Value::Null;
        Self { index: 0.into(), id: none.clone(), function: Some(function), extra_content: none }
    }
}

/// The members of a message, or of a piece of one, that have to do with calls.
#[derive(Deserialize, Default)]
pub(crate) struct CallMembers {
    tool_calls: Option<Vec<CallPiece>>,
    /// The call of servers with the older API.
    function_call: Option<FunctionPiece>,
    #[serde(flatten)]
    pub(crate) thoughts: ThoughtMembers,
}

impl CallMembers {
    /// Returns the calls of a whole message.
    ///
    /// # Errors
    ///
    /// If a call has no name.
    pub(crate) fn into_calls(self) -> Result<Vec<ToolCall>, AttemptError> {
        let mut calls = PartialCalls::default();
        let pieces = self.tool_calls.into_iter().flatten();
        pieces.chain(self.function_call.map(CallPiece::from)).for_each(|call| calls.push(call));
        calls.thoughts.take(self.thoughts);
        calls.into_calls()
    }
}

/// The thoughts in a message with calls, which the server may need to see again.
#[derive(Deserialize, Default)]
pub(crate) struct ThoughtMembers {
    /// The member of DeepSeek, vLLM and llama.cpp.
    #[serde(default)]
    reasoning_content: Value,
    /// The member of OpenRouter and Ollama.
    #[serde(default)]
    reasoning: Value,
    /// The member of OpenRouter with signatures.
    #[serde(default)]
    reasoning_details: Value,
}

/// The thoughts of a streamed reply, as far as they were received.
#[derive(Default)]
struct PartialThoughts {
    reasoning_content: String,
    reasoning: String,
    reasoning_details: Vec<Value>,
    details_len: usize,
}

/// The calls of a reply, as far as they were received.
#[derive(Default)]
pub(crate) struct PartialCalls {
    calls: Vec<ToolCall>,
    /// The position of the last call with each index.
    positions: BTreeMap<String, usize>,
    len: usize,
    thoughts: PartialThoughts,
}

impl PartialCalls {
    /// Adds a piece of a message.
    pub(crate) fn take(&mut self, piece: CallMembers) {
        piece.tool_calls.into_iter().flatten().for_each(|call| self.take_call(call));
        piece.function_call.into_iter().for_each(|call| self.take_call(call.into()));
        self.thoughts.take(piece.thoughts);
    }

    /// Adds a whole call.
    fn push(&mut self, call: CallPiece) {
        let position = self.start();
        self.extend(position, call);
    }

    fn take_call(&mut self, piece: CallPiece) {
        let index = text(&piece.index).filter(|index| !index.is_empty());
        let known = index.as_ref().and_then(|index| self.positions.get(index).copied());
        // Some servers count the pieces of a call, or start to count them elsewhere than the call.
        let position = match known {
            None if index.is_none() || piece.opens_none() => self.calls.len().checked_sub(1),
            known => known,
        };
        let position = position.filter(|position| !self.starts_another(*position, &piece));
        let position = position.unwrap_or_else(|| self.start());
        if let Some(index) = index {
            self.positions.insert(index, position);
        }
        self.extend(position, piece);
    }

    /// Returns the bytes that count towards the limit of a reply.
    pub(crate) fn received_len(&self) -> usize {
        self.len + self.thoughts.received_len()
    }

    /// Returns the calls, the first one with the thoughts.
    ///
    /// # Errors
    ///
    /// If a call has no name.
    pub(crate) fn into_calls(self) -> Result<Vec<ToolCall>, AttemptError> {
        let is_empty = |call: &ToolCall| {
            call.id.is_empty() && call.name.is_empty() && call.arguments.is_empty()
        };
        let mut calls: Vec<ToolCall> =
            self.calls.into_iter().filter(|call| !is_empty(call)).collect();
        check_names(&calls)?;
        for call in &mut calls {
            if call.arguments.trim().is_empty() {
                NO_ARGUMENTS.clone_into(&mut call.arguments);
            }
        }
        if let (Some(first), Some(thoughts)) = (calls.first_mut(), self.thoughts.into_data()) {
            first.engine_data[MESSAGE_DATA] = thoughts;
        }
        Ok(calls)
    }

    fn start(&mut self) -> usize {
        self.len += CALL_BYTES;
        self.calls.push(ToolCall::new("", ""));
        self.calls.len() - 1
    }

    /// Returns whether a piece belongs to another call than the one at the position.
    ///
    /// Some servers give all calls the same index, and some give each piece of a call a new id. A name tells
    /// them apart: that of a call comes once, or again with each piece.
    fn starts_another(&self, position: usize, piece: &CallPiece) -> bool {
        let (Some(call), Some(function)) = (self.calls.get(position), &piece.function) else {
            return false;
        };
        let name = text(&function.name).unwrap_or_default();
        let id = text(&piece.id).unwrap_or_default();
        if name.is_empty() || call.name.is_empty() || (id == call.id && !id.is_empty()) {
            return false;
        }
        if name != call.name {
            return !id.is_empty() || !call.arguments.is_empty();
        }
        // An object that begins where another one ended.
        let arguments = text(&function.arguments).unwrap_or_default();
        call.arguments.trim_end().ends_with('}') && arguments.trim_start().starts_with('{')
    }

    fn extend(&mut self, position: usize, piece: CallPiece) {
        let Some(call) = self.calls.get_mut(position) else {
            return;
        };
        let before = call.name.len() + call.arguments.len() + call.id.len();
        if call.id.is_empty() {
            call.id = text(&piece.id).unwrap_or_default();
        }
        if let Some(function) = piece.function {
            let name = text(&function.name).unwrap_or_default();
            if call.name != name {
                call.name.push_str(&name);
            }
            match function.arguments {
                Value::String(part) => call.arguments.push_str(&part),
                Value::Null => {}
                whole => call.arguments.push_str(&whole.to_string()),
            }
        }
        let mut extra_bytes = 0;
        if !piece.extra_content.is_null() {
            extra_bytes = piece.extra_content.to_string().len();
            let members = Map::from_iter([("extra_content".to_owned(), piece.extra_content)]);
            call.engine_data[CALL_DATA] = Value::Object(members);
        }
        let after = call.name.len() + call.arguments.len() + call.id.len();
        self.len += after - before + extra_bytes;
    }
}

impl ThoughtMembers {
    /// Returns the thoughts. Some servers send both members, with the same text.
    pub(crate) fn text(&self) -> &str {
        let members = [&self.reasoning_content, &self.reasoning];
        let mut texts = members.into_iter().filter_map(Value::as_str);
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }
}

impl PartialThoughts {
    fn take(&mut self, piece: ThoughtMembers) {
        self.reasoning_content.push_str(piece.reasoning_content.as_str().unwrap_or_default());
        self.reasoning.push_str(piece.reasoning.as_str().unwrap_or_default());
        if let Value::Array(details) = piece.reasoning_details {
            self.details_len +=
                details.iter().map(|detail| detail.to_string().len()).sum::<usize>();
            self.reasoning_details.extend(details);
        }
    }

    fn received_len(&self) -> usize {
        self.reasoning_content.len() + self.reasoning.len() + self.details_len
    }

    /// Returns the members that are not empty.
    fn into_data(self) -> Option<Value> {
        let texts = [("reasoning_content", self.reasoning_content), ("reasoning", self.reasoning)];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let mut members: Map<_, _> =
            texts.map(|(name, text)| (name.to_owned(), Value::from(text))).collect();
        if !self.reasoning_details.is_empty() {
            members.insert("reasoning_details".to_owned(), self.reasoning_details.into());
        }
        (!members.is_empty()).then_some(Value::Object(members))
    }
}

/// Returns the thoughts if they are the answer: some servers put a reply that the schema constrains there, and
/// leave the text empty. Only thoughts that are JSON and nothing else are an answer.
pub(crate) fn answer_in_thoughts(thoughts: &str) -> Option<&str> {
    let answer = thoughts.trim();
    let is_json = answer.starts_with(['{', '[']) && serde_json::from_str::<Value>(answer).is_ok();
    is_json.then_some(answer)
}

/// Returns a text, or the text of a number. Some servers number their calls.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
