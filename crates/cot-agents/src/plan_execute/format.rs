//! Schemas of the replies of the two stages, for servers that enforce a schema.

use std::sync::{Arc, LazyLock};

use cot_engine::internal::Definitions;
use cot_model::ReplySchema;
use serde_json::{Map, Value, json};

use super::tool;
use crate::tools::ToolSet;

/// The schemas of the replies, with the names of the callable tools.
#[derive(Debug)]
pub(super) struct Formats {
    pub(super) plan: Arc<ReplySchema>,
    pub(super) execute: Arc<ReplySchema>,
    /// The names of the tools.
    pub(super) names: Vec<String>,
    /// The description of the tools for the end of a prompt; empty without tools.
    pub(super) tools: String,
}

/// The formats of a stage that runs outside a chain.
static WITHOUT_TOOLS: LazyLock<Arc<Formats>> =
    LazyLock::new(|| Arc::new(Formats::new(&ToolSet::new())));

impl Formats {
    pub(super) fn new(tools: &ToolSet) -> Self {
        let plan = schema("plan", &["todos"], tools);
        let execute = schema("execute", &["current", "result", "todos"], tools);
        let names = tools.names().map(str::to_owned).collect();
        let tools = tool::describe_tools(tools);
        Self { plan: Arc::new(plan), execute: Arc::new(execute), names, tools }
    }

    pub(super) fn without_tools() -> &'static Arc<Self> {
        &WITHOUT_TOOLS
    }
}

/// Returns the schema of an object with these text members, an action with arguments, and the final answer.
fn schema(name: &str, texts: &[&str], tools: &ToolSet) -> ReplySchema {
    let mut properties: Map<String, Value> =
        texts.iter().map(|text| ((*text).to_owned(), json!({ "type": "string" }))).collect();
    let actions: Vec<&str> = ["continue", "stop"].into_iter().chain(tools.names()).collect();
    properties.insert("action".to_owned(), json!({ "type": "string", "enum": actions }));
    let mut definitions = Definitions::default();
    let arguments: Vec<Value> = tools
        .iter()
        .enumerate()
        .map(|(index, tool)| definitions.embed(&tool.schema, &format!("tool{index}")))
        .collect();
    if !arguments.is_empty() {
        properties.insert("arguments".to_owned(), json!({ "anyOf": arguments }));
    }
    properties.insert("final".to_owned(), json!({ "type": "string" }));
    let required: Vec<&str> = texts.iter().copied().chain(["action"]).collect();
    let mut json = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let definitions = definitions.into_map();
    if !definitions.is_empty() {
        json["$defs"] = Value::Object(definitions);
    }
    ReplySchema { name: name.to_owned(), json }
}
