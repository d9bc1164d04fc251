//! Describes tools in prompts, and calls them.

use serde_json::{Map, Value};

use super::{action::Action, text::value_text};
use crate::tools::{Tool, ToolCallError, ToolSet};

/// Calls a tool. Returns its result, or the error, as the text that the model receives.
pub(super) async fn call(tools: &ToolSet, name: &str, arguments: Value) -> Result<String, String> {
    let call = tools.start(name, arguments).map_err(|refused| match refused {
        ToolCallError::Unknown => unknown_tool(tools),
        ToolCallError::Arguments(issues) => format!("the arguments are wrong: {issues}"),
    })?;
    call.await.map(value_text).map_err(|error| error.to_string())
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

/// Describes the tools for the end of a prompt; empty without tools.
pub(super) fn describe_tools(tools: &ToolSet) -> String {
    let tools: Vec<String> = tools.iter().map(description).collect();
    if tools.is_empty() {
        return String::new();
    }
    format!("{INTRODUCTION}\n\n{}", tools.join("\n\n"))
}

const INTRODUCTION: &str = r#"

You may call a tool: then "action" is its name and "arguments" is a JSON object that fits its schema. What it gives is in the work so far of the next message. The tools:"#;

fn description(tool: &Tool) -> String {
    let schema = tool.schema.json();
    format!("{}: {}\nschema of its arguments: {schema}", tool.name, tool.description)
}

/// Returns the arguments of a call for which the model gives none.
pub(super) fn no_arguments() -> Value {
    Value::Object(Map::new())
}
