//! Reads the results of calls of tools, and checks the names of tools.

use cot_model::{ToolCall, ToolResult};

use super::{action::Action, text::value_text, work::Work};
use crate::{json_or_text, tools::ToolSet};

/// Returns the work of a call that a run made.
pub(super) fn work(tools: &ToolSet, call: &ToolCall, result: &ToolResult) -> Work {
    let name = call.name.clone();
    let result = match result.is_error {
        false => Ok(result_text(&result.text)),
        true => Err(error_text(tools, &name, &result.text)),
    };
    Work::Tool { name, arguments: json_or_text(&call.arguments), result }
}

/// Returns a result in JSON as the text that the model receives.
pub(super) fn result_text(json: &str) -> String {
    value_text(json_or_text(json))
}

/// Returns the text of an error that the model receives.
pub(super) fn error_text(tools: &ToolSet, name: &str, error: &str) -> String {
    match tools.find(name) {
        Some(_) => error.to_owned(),
        None => unknown_tool(tools),
    }
}

fn unknown_tool(tools: &ToolSet) -> String {
    let names: Vec<String> = tools.names().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "there are no tools; `action` is `continue` or `stop`".to_owned();
    }
    format!("there is no such tool; there are: {}", names.join(", "))
}

/// Returns the first tool name that the model can't use as an action.
pub(super) fn invalid_name(tools: &ToolSet) -> Option<&str> {
    tools.names().find(|name| name.is_empty() || Action::from(*name).tool_name() != Some(name))
}

/// Returns whether vendors accept the names of all tools.
pub(super) fn can_be_native(tools: &ToolSet) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    tools.names().all(|name| name.len() <= MAX_NATIVE_NAME && name.bytes().all(is_plain))
}

/// The maximum length of a name that vendors accept.
const MAX_NATIVE_NAME: usize = 64;
