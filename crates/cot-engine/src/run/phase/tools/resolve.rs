//! Which tool a call means, and whether its arguments are valid.

use cot_model::{ToolCall, ToolResult};
use cot_reader::internal::{
    CoercionGraph, RepairKind, Repairs, ValidReading, read_reply, takes_no_members,
};
use cot_schema::{
    Issues, OutputSchema,
    internal::{closest_name, truncate},
};
use serde_json::{Map, Value, json};

use super::conversation::ToolConversation;
use crate::{
    process::tool::{
        bounds::{MAX_TOOL_BYTES, TooLong},
        definition::{ToolDefinition, ToolIndex},
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
        cx: &RunContext<'_>,
    ) -> Result<ReadArguments, ToolResult> {
        let host = &*cx.host;
        let offered = self.find(call).ok_or_else(|| self.unknown_tool(call))?;
        let index = self.uses[offered].index;
        let (text, bytes) = (&*call.arguments, call.arguments.len());
        if bytes > MAX_TOOL_BYTES {
            return Err(ToolResult::error(
                TooLong { what: "the arguments have", bytes }.to_string(),
            ));
        }
        let arguments = match host.tool_schema(index) {
            Some(schema) => read_arguments(text, schema).and_then(|arguments| {
                let scope = cx.facts.scope(cx.visit, None);
                host.check_arguments(index, &arguments.value, &scope)?;
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
        let offered = self.find(call).and_then(|offered| self.uses.get(offered));
        offered.map(|tool| tool.index).ok_or_else(|| self.unknown_tool(call))
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

/// The arguments of a call.
pub(crate) struct ReadArguments {
    pub(crate) value: Value,
    /// The repairs that were made to read them.
    pub(crate) repairs: Repairs,
    /// The arguments as JSON, if the model wrote something else.
    pub(crate) rewritten: Option<String>,
}

/// The issue of arguments that were completed. What is missing may change what the call does.
pub(crate) const BROKEN_OFF: &str = "break off before their end; call the tool with all of them";

/// Reads arguments as a reply is read: leniently, and checked by the rules of their type. Only their end is not
/// repaired, and a tool that takes none is called without.
fn read_arguments(text: &str, schema: &OutputSchema) -> Result<ReadArguments, Issues> {
    let given = serde_json::from_str::<Map<String, Value>>(text);
    if takes_no_members(CoercionGraph::new(schema.graph())) {
        let (mut repairs, is_given) = (Repairs::default(), !given.is_ok_and(|all| all.is_empty()));
        if is_given && !text.trim().is_empty() {
            repairs.add(&[], RepairKind::ArgumentsLeftOut);
        }
        let rewritten = is_given.then(|| "{}".to_owned());
        return Ok(ReadArguments { value: json!({}), repairs, rewritten });
    }
    // Engines may write nothing where all arguments are optional.
    let text = if text.trim().is_empty() { "{}" } else { text };
    match read_reply(text, schema, true) {
        Ok(reading) if reading.repairs.complete_under(0) => Err(Issues::at("$", BROKEN_OFF)),
        Ok(ValidReading { value, repairs }) => {
            let is_kept = repairs.is_empty() && given.is_ok();
            let rewritten = (!is_kept).then(|| value.to_string());
            Ok(ReadArguments { value: schema.unwrap(value), repairs, rewritten })
        }
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
