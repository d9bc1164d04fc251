//! Tools as the stages show and call them.

use serde_json::{Map, Value};

use super::{action::Action, text::shown};
use crate::tools::{Refused, Tool, Tools};

/// Calls a tool; what it came to, as the model is told.
pub(super) async fn call(tools: &Tools, name: &str, arguments: Value) -> Result<String, String> {
    let call = tools.begin(name, arguments).map_err(|refused| match refused {
        Refused::Unknown => unknown(tools),
        Refused::Arguments(issues) => format!("the arguments are wrong: {issues}"),
    })?;
    call.await.map(shown).map_err(|error| error.to_string())
}

fn unknown(tools: &Tools) -> String {
    let names: Vec<String> = tools.names().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "there are no tools; `action` is `continue` or `stop`".to_owned();
    }
    format!("there is no such tool; there are: {}", names.join(", "))
}

/// The first name that the model could not say.
pub(super) fn misnamed(tools: &Tools) -> Option<&str> {
    tools.names().find(|name| name.is_empty() || Action::from(*name).name() != Some(name))
}

/// The tools in words, for the end of a prompt; empty without any.
pub(super) fn described(tools: &Tools) -> String {
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

/// What a tool is called with where the model gives nothing.
pub(super) fn no_arguments() -> Value {
    Value::Object(Map::new())
}
