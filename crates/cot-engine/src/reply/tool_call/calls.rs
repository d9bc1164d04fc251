//! Tool calls that a model writes as JSON in its reply, where an engine has none of its own.

use cot_model::{Tool, ToolCall};
use cot_reader::internal::CoercionGraph;
use cot_schema::{OutputSchema, internal::BorrowedJson};
use serde_json::{Map, Value};

/// The key of the name of the tool.
const TOOL: &str = "tool";
/// The key of the arguments.
const ARGUMENTS: &str = "arguments";
/// Other keys of the name. They are read only if their value is the name of a tool.
const NAME_KEYS: [&str; 3] = ["name", "function", "tool_name"];
/// Other keys of the arguments.
const ARGUMENT_KEYS: [&str; 3] = ["args", "parameters", "input"];
/// Keys that have no meaning for a call.
const OTHER_KEYS: [&str; 2] = ["id", "type"];

/// Maximum number of objects with a single member around a call, which schemas for engines without alternatives
/// at the root require.
const MAX_WRAPPERS: usize = 2;

/// Returns whether a value is an object with the key of the name of a tool, a wrapper of one, or a list.
pub(crate) fn has_tool_key(value: &BorrowedJson<'_>) -> bool {
    fn is_call(value: &BorrowedJson<'_>, wrappers: usize) -> bool {
        let BorrowedJson::Object(members) = value else { return false };
        match members.as_slice() {
            [(_, inner)] if wrappers > 0 && is_call(inner, wrappers - 1) => true,
            _ => [TOOL].iter().chain(&NAME_KEYS).any(|key| value.member(key).is_some()),
        }
    }
    matches!(value, BorrowedJson::List(_)) || is_call(value, MAX_WRAPPERS)
}

/// Returns whether a value has exactly the form of a call of an existing tool.
pub(crate) fn is_exact_call(value: &Value, tools: &[Tool]) -> bool {
    value.as_object().is_some_and(|members| {
        let name = members.get(TOOL).and_then(Value::as_str);
        members.len() == 2
            && members.get(ARGUMENTS).is_some_and(Value::is_object)
            && name.is_some_and(|name| tools.iter().any(|tool| tool.name() == name))
    })
}

/// Returns whether a value calls an existing tool with arguments in a member that the output does not know.
pub(crate) fn has_foreign_arguments(
    value: &Value,
    calls: &[ToolCall],
    tools: &[Tool],
    output: &OutputSchema,
) -> bool {
    let graph = CoercionGraph::new(output.graph());
    let keys = || [ARGUMENTS].into_iter().chain(ARGUMENT_KEYS);
    let exists = |call: &ToolCall| tools.iter().any(|tool| tool.name() == call.name);
    calls.iter().all(exists) && keys().any(|key| value.get(key).is_some() && !graph.knows_key(key))
}

/// Returns the exact form of the calls in JSON within the marks of a call. `header` is the text before the JSON,
/// and has the name of the tool if the JSON is the arguments alone.
pub(crate) fn marked_call(header: &str, value: &Value, tools: &[Tool]) -> Option<Value> {
    let is_name_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let named = |tool: &&Tool| header.split(|c| !is_name_part(c)).any(|word| word == tool.name());
    let calls = parse_calls(value, tools).or_else(|| {
        let tool = tools.iter().find(named).filter(|_| value.is_object())?;
        Some(vec![ToolCall::new(tool.name(), value)])
    })?;
    let exact = calls.iter().map(|call| serde_json::from_str(&call.to_json()).ok());
    let mut exact: Vec<Value> = exact.collect::<Option<_>>()?;
    Some(if exact.len() == 1 { exact.remove(0) } else { Value::Array(exact) })
}

/// Returns the calls in a value: an object like `{"tool": "search", "arguments": {"query": "rust"}}`, or a list
/// of them. `None` if it is something else.
pub(crate) fn parse_calls(value: &Value, tools: &[Tool]) -> Option<Vec<ToolCall>> {
    parse_wrapped(value, tools, MAX_WRAPPERS)
}

fn parse_wrapped(value: &Value, tools: &[Tool], wrappers: usize) -> Option<Vec<ToolCall>> {
    match value {
        Value::Object(members) => match parse_call(members, tools) {
            Some(call) => Some(vec![call]),
            None if wrappers > 0 && members.len() == 1 => {
                parse_wrapped(members.values().next()?, tools, wrappers - 1)
            }
            None => None,
        },
        Value::Array(items) if !items.is_empty() => {
            let calls = items.iter().map(|item| parse_call(item.as_object()?, tools));
            calls.collect()
        }
        _ => None,
    }
}

fn parse_call(members: &Map<String, Value>, tools: &[Tool]) -> Option<ToolCall> {
    let is_tool = |name: &&str| tools.iter().any(|tool| tool.name() == *name);
    let text = |key: &str| members.get(key)?.as_str();
    let other = || NAME_KEYS.iter().find_map(|key| Some((*key, text(key).filter(is_tool)?)));
    let (name_key, name) = text(TOOL).map(|name| (TOOL, name)).or_else(other)?;
    let keys = || [ARGUMENTS].into_iter().chain(ARGUMENT_KEYS);
    let argument_key = keys().find(|key| members.contains_key(*key));
    let is_known =
        |key: &str| key == name_key || argument_key == Some(key) || OTHER_KEYS.contains(&key);
    // Without arguments, only a tool that exists is meant.
    if !members.keys().all(|key| is_known(key)) || argument_key.is_none() && !is_tool(&name) {
        return None;
    }
    let arguments = argument_key.and_then(|key| members.get(key));
    Some(match arguments {
        None | Some(Value::Null) => ToolCall::new(name, "{}"),
        // Some models write the JSON of the arguments as a string, as the APIs of engines do.
        Some(Value::String(text)) => ToolCall::new(name, text),
        Some(arguments) => ToolCall::new(name, arguments),
    })
}
