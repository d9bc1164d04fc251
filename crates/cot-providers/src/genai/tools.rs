//! Tools, calls and results in the types of `genai`.

use std::borrow::Cow;

use cot_model::{ModelError, ModelRequest, Tool, ToolCall, ToolResult};
use cot_schema::Dialect;
use genai::{
    ModelIden,
    chat::{self, ContentPart, ToolName, ToolResponse},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::family::Family;
use crate::{
    http::MESSAGE_DATA,
    request::{plain_id, result_text, tool_schema},
};

/// Names that `genai` takes for tools of the provider. Tools with these names have another one in requests.
const BUILT_IN: [&str; 11] = [
    "web_search",
    "googleSearch",
    "googleSearchRetrieval",
    "codeExecution",
    "urlContext",
    "google_search",
    "code_execution",
    "url_context",
    "computer_use",
    "file_search",
    "mcp_server",
];

/// The prefix of the ids that `genai` gives calls of Gemini without an id, and leaves out of requests.
const NO_ID: &str = "call#";

/// What a call of a provider has besides its name and its arguments: [`ToolCall::engine_data`].
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct CallData {
    /// The signatures of the thoughts before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<Vec<String>>,
    /// The thoughts in the message, for its first call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    thoughts: Vec<ContentPart>,
}

/// Converts the tools of a request, with the schemas in the provider's dialect.
pub(super) fn to_tools(
    request: &ModelRequest,
    family: Family,
    model: &ModelIden,
) -> Result<Vec<chat::Tool>, ModelError> {
    let dialect = family.tool_dialect(model);
    request.tools.iter().map(|tool| to_tool(tool, dialect)).collect()
}

/// Converts a tool. A schema that the dialect can't express is sent as it is.
fn to_tool(tool: &Tool, dialect: Dialect) -> Result<chat::Tool, ModelError> {
    let name = ToolName::Custom(sent_name(tool.name()).into_owned());
    let converted = chat::Tool::new(name).with_description(&tool.description);
    let is_strict = dialect == Dialect::OpenAiStrict;
    Ok(match tool_schema(tool, dialect) {
        Ok(schema) if is_strict => converted.with_schema(schema.into_owned()).with_strict(true),
        Ok(schema) => converted.with_schema(schema.into_owned()),
        Err(_) => {
            let converted = converted.with_schema(tool_schema(tool, Dialect::Plain)?.into_owned());
            if is_strict { converted.with_strict(false) } else { converted }
        }
    })
}

/// Returns the parts of a message that belong before its first call.
pub(super) fn thought_parts(call: &ToolCall) -> Vec<ContentPart> {
    let thoughts = CallData::deserialize(&call.engine_data).unwrap_or_default().thoughts;
    let chat = &call.engine_data[MESSAGE_DATA];
    let text =
        chat["reasoning_content"].as_str().map(|text| ContentPart::ReasoningContent(text.into()));
    let details = chat["reasoning_details"].as_array().into_iter().flatten();
    let details = details.map(|detail| ContentPart::from_custom(detail.clone(), None));
    thoughts.into_iter().chain(text).chain(details).collect()
}

/// Converts a call.
pub(super) fn call_part(call: &ToolCall, id: &str, family: Family) -> ContentPart {
    ContentPart::ToolCall(chat::ToolCall {
        call_id: sent_id(call, id, family).into_owned(),
        fn_name: sent_name(&call.name).into_owned(),
        fn_arguments: sent_arguments(&call.arguments),
        thought_signatures: CallData::deserialize(&call.engine_data).unwrap_or_default().signatures,
    })
}

/// Converts a result.
pub(super) fn result_part(
    call: &ToolCall,
    id: &str,
    result: &ToolResult,
    family: Family,
) -> ContentPart {
    let response = ToolResponse::new(sent_id(call, id, family), result_text(result));
    ContentPart::ToolResponse(response.with_fn_name(sent_name(&call.name)))
}

/// Converts the calls of a reply, the first one with the thoughts.
pub(super) fn read_calls(parts: Vec<ContentPart>) -> Vec<ToolCall> {
    let (mut calls, mut thoughts) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            ContentPart::ToolCall(call) => calls.push(call),
            ContentPart::ThoughtSignature(_)
            | ContentPart::ReasoningContent(_)
            | ContentPart::Custom(_) => thoughts.push(part),
            ContentPart::Text(_) | ContentPart::Binary(_) | ContentPart::ToolResponse(_) => {}
        }
    }
    let read = calls.into_iter().map(|call| read_call(call, std::mem::take(&mut thoughts)));
    read.collect()
}

fn read_call(call: chat::ToolCall, thoughts: Vec<ContentPart>) -> ToolCall {
    let arguments = match call.fn_arguments {
        Value::String(text) if text.trim().is_empty() => "{}".to_owned(),
        Value::String(text) => text,
        Value::Null => "{}".to_owned(),
        arguments => arguments.to_string(),
    };
    let id = if call.call_id.starts_with(NO_ID) { String::new() } else { call.call_id };
    let data = CallData { signatures: call.thought_signatures, thoughts };
    let is_empty = data.signatures.is_none() && data.thoughts.is_empty();
    // The data consists of texts and JSON, which can always be serialized.
    let data = serde_json::to_value(data).unwrap_or_default();
    let read = ToolCall::new(own_name(&call.fn_name), arguments).with_id(id);
    if is_empty { read } else { read.with_engine_data(data) }
}

/// Returns the name of a tool in requests.
fn sent_name(name: &str) -> Cow<'_, str> {
    if BUILT_IN.contains(&name) { Cow::Owned(format!("{name}_")) } else { Cow::Borrowed(name) }
}

/// Returns the name of the tool that has another one in requests.
pub(super) fn own_name(name: &str) -> &str {
    let own = name.strip_suffix('_').filter(|own| BUILT_IN.contains(own));
    own.unwrap_or(name)
}

/// Returns the id of a call in a form that the provider takes.
fn sent_id<'a>(call: &ToolCall, id: &'a str, family: Family) -> Cow<'a, str> {
    match family {
        Family::Gemini if call.id.is_empty() => {
            let number = id.trim_start_matches(|c: char| !c.is_ascii_digit());
            Cow::Owned(format!("{NO_ID}{}#{number}", sent_name(&call.name)))
        }
        Family::Anthropic => plain_id(id),
        _ => Cow::Borrowed(id),
    }
}

/// Returns the arguments as an object, which all protocols require.
fn sent_arguments(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(members)) => Value::Object(members),
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(other) => json!({ "arguments": other }),
        Err(_) => json!({ "arguments": arguments }),
    }
}
