//! Which tool a call means, and whether its arguments are valid.

use cot_model::{ToolCall, ToolResult};
use cot_reader::internal::read_reply;
use cot_schema::{
    Issues, OutputSchema,
    internal::{closest_name, truncate},
};
use serde_json::Value;

use super::conversation::ToolConversation;
use crate::{
    process::{
        host::ProcessHost,
        tool::{
            bounds::{MAX_TOOL_BYTES, TooLong},
            definition::{ToolDefinition, ToolIndex},
        },
    },
    reply::bounds::limit_issues,
    run::context::RunContext,
};

/// Maximum length of a name in an error.
const MAX_NAME_BYTES: usize = 100;
/// Maximum number of tools that an error lists.
const MAX_LISTED: usize = 20;

impl ToolConversation {
    /// Returns the arguments of a call, or the error that the model receives.
    pub(crate) fn read_call(
        &self,
        call: &ToolCall,
        host: &dyn ProcessHost,
    ) -> Result<Value, ToolResult> {
        let offered = self.find(call).ok_or_else(|| self.unknown_tool(call))?;
        let index = self.indexes[offered];
        let (text, bytes) = (&*call.arguments, call.arguments.len());
        if bytes > MAX_TOOL_BYTES {
            return Err(ToolResult::error(
                TooLong { what: "the arguments have", bytes }.to_string(),
            ));
        }
        let arguments = match host.tool_schema(index) {
            Some(schema) => read_arguments(text, schema).and_then(|arguments| {
                host.check_arguments(index, &arguments)?;
                Ok(arguments)
            }),
            None => {
                let json = self.tools[offered].schema.json.clone();
                read_arguments(text, &OutputSchema::from_json(&call.name, json))
            }
        };
        arguments.map_err(|issues| invalid_arguments(call, issues))
    }

    /// Returns the index of the tool of a call in the process, or the error of a tool that is not offered.
    pub(crate) fn index_of(&self, call: &ToolCall) -> Result<ToolIndex, ToolResult> {
        let offered = self.find(call).and_then(|offered| self.indexes.get(offered).copied());
        offered.ok_or_else(|| self.unknown_tool(call))
    }

    fn unknown_tool(&self, call: &ToolCall) -> ToolResult {
        let names = || self.tools.iter().map(|tool| tool.name());
        let shown = truncate(&call.name, MAX_NAME_BYTES);
        let mut error = format!("there is no tool {shown:?}");
        if let Some(close) = closest_name(&call.name, names()) {
            error.push_str(&format!(": did you mean {close:?}?"));
        } else {
            error.push('.');
        }
        let list = names().take(MAX_LISTED).map(|name| format!("{name:?}"));
        let list: Vec<String> = list.collect();
        error.push_str(&match &*list {
            [] => " No tool is available now".to_owned(),
            [only] => format!(" The only tool is {only}"),
            several => format!(" The tools are {}", several.join(", ")),
        });
        if let Some(more) = self.tools.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
            error.push_str(&format!(", and {more} more"));
        }
        ToolResult::error(error)
    }
}

/// Reads arguments as a reply is read: leniently, and checked by the rules of their type.
fn read_arguments(text: &str, schema: &OutputSchema) -> Result<Value, Issues> {
    // Engines may write nothing where a tool takes no arguments.
    let text = if text.trim().is_empty() { "{}" } else { text };
    match read_reply(text, schema, true) {
        Ok(reading) => Ok(schema.unwrap(reading.value)),
        Err(rejection) => Err(rejection.issues),
    }
}

fn invalid_arguments(call: &ToolCall, issues: Issues) -> ToolResult {
    let mut error = format!("the arguments of {:?} are not valid:", call.name);
    for issue in limit_issues(issues) {
        error.push_str(&format!("\n- {issue}"));
    }
    ToolResult::error(error)
}

impl RunContext<'_> {
    /// Returns whether a tool is answered by its mock.
    pub(crate) fn is_tool_mocked(&self, tool: &ToolDefinition) -> bool {
        self.facts.definition.is_tool_mocked(tool, self.facts.options.mock_mode.as_ref())
    }
}
