//! Tools and calls as a request has them.

use std::borrow::Cow;

use cot_model::{ModelError, Tool, ToolCall};
use cot_schema::Dialect;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use crate::{
    http::{CALL_DATA, MESSAGE_DATA},
    request::tool_schema,
};

/// A tool in the server's dialect.
#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
pub(super) struct SentTool<'a> {
    function: SentFunction<'a>,
}

#[derive(Serialize)]
struct SentFunction<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    parameters: Cow<'a, Value>,
    /// Set only for the strict dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

impl<'a> SentTool<'a> {
    /// Rewrites the schema of a tool. A schema that the strict dialect can't express is sent as it is, without
    /// `strict`.
    pub(super) fn new(tool: &'a Tool, dialect: Dialect) -> Result<Self, ModelError> {
        let is_strict = dialect == Dialect::OpenAiStrict;
        let (parameters, strict) = match tool_schema(tool, dialect) {
            Ok(parameters) => (parameters, is_strict.then_some(true)),
            Err(_) if is_strict => (tool_schema(tool, Dialect::Plain)?, Some(false)),
            Err(error) => return Err(error),
        };
        let (name, description) = (tool.name(), tool.description.as_str());
        Ok(Self { function: SentFunction { name, description, parameters, strict } })
    }
}

/// A call in a message of the model.
pub(super) struct SentCall<'a> {
    pub(super) call: &'a ToolCall,
    pub(super) id: Cow<'a, str>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> SentCall<'a> {
    /// Returns the members that the server sent with the message of the call.
    pub(super) fn message_data(&self) -> Option<&'a Map<String, Value>> {
        self.call.engine_data[MESSAGE_DATA].as_object()
    }
}

impl Serialize for SentCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ToolCall { name, engine_data, .. } = self.call;
        let arguments = &*self.call.object_arguments();
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("id", &self.id)?;
        members.serialize_entry("type", "function")?;
        members.serialize_entry("function", &CalledFunction { name, arguments })?;
        for (name, value) in engine_data[CALL_DATA].as_object().into_iter().flatten() {
            members.serialize_entry(name, value)?;
        }
        members.end()
    }
}
