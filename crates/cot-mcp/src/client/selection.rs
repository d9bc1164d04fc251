//! Selects the tools of a server, and checks them.

use cot_engine::SourceTool;
use cot_schema::internal::truncate;

use super::{
    error::{McpError, MissingTool},
    listing::Listed,
    schema,
    settings::Settings,
};

/// Maximum length of the name of a tool, as inference servers have it.
const MAX_NAME_BYTES: usize = 64;
/// Maximum length of a description, which is part of every prompt.
const MAX_DESCRIPTION_BYTES: usize = 16 * 1024;
/// Maximum length of a name in a message.
const MAX_SHOWN_BYTES: usize = 100;

/// Returns the tools that the settings name, in the order of the server, and refuses those that can't be used.
pub(crate) fn select(listed: &[Listed], settings: &Settings) -> Result<Vec<SourceTool>, McpError> {
    let Some(only) = &settings.only else {
        return listed.iter().map(|tool| check(tool, settings)).collect();
    };
    let has = |name: &String| listed.iter().any(|tool| tool.name == *name);
    let available: Vec<String> = listed.iter().map(|tool| shown(&tool.name)).collect();
    let missing = only.iter().filter(|name| !has(name));
    let missing: Vec<MissingTool> =
        missing.map(|name| MissingTool::new(name, &available)).collect();
    if !missing.is_empty() {
        return Err(McpError::Missing { server: settings.name.clone(), missing, available });
    }
    let selected = listed.iter().filter(|tool| only.contains(&tool.name));
    selected.map(|tool| check(tool, settings)).collect()
}

fn check(tool: &Listed, settings: &Settings) -> Result<SourceTool, McpError> {
    let server = || settings.name.clone();
    if !is_name(&tool.name) {
        let message = format!(
            "the name `{}` has characters that models can't use, or more than {MAX_NAME_BYTES} of them",
            shown(&tool.name)
        );
        return Err(McpError::List { server: server(), message });
    }
    let bytes = tool.description.len();
    if bytes > MAX_DESCRIPTION_BYTES {
        let message = format!(
            "the description of `{}` has {bytes} bytes, and {MAX_DESCRIPTION_BYTES} are allowed",
            tool.name
        );
        return Err(McpError::List { server: server(), message });
    }
    match schema::check(&tool.schema) {
        Ok(schema) => Ok(SourceTool::new(&*tool.name, &*tool.description, schema)),
        Err(schema::Flaw { path, message }) => {
            let message = settings.secrets.hide(message);
            Err(McpError::Schema { server: server(), tool: tool.name.clone(), path, message })
        }
    }
}

/// Returns a name for a message.
fn shown(name: &str) -> String {
    truncate(name, MAX_SHOWN_BYTES).escape_debug().to_string()
}

fn is_name(name: &str) -> bool {
    let is_character = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_character)
}

/// Checks that a server to which the connection was lost still has the tools that it had.
pub(crate) fn check_unchanged(
    known: &[SourceTool],
    listed: &[Listed],
    settings: &Settings,
) -> Result<(), McpError> {
    for tool in known {
        let is_same = |listed: &Listed| {
            listed.name == tool.name() && Some(&listed.schema) == tool.schema.json.as_object()
        };
        if !listed.iter().any(is_same) {
            let (server, tool) = (settings.name.clone(), tool.name().to_owned());
            return Err(McpError::Changed { server, tool });
        }
    }
    Ok(())
}
