//! The types of the replies of the two stages: as schemas, for servers that enforce them, and for prompts.

use std::sync::{Arc, LazyLock};

use cot_engine::internal::Definitions;
use cot_model::ReplySchema;
use cot_schema::OutputSchema;
use serde_json::{Map, Value, json};

use crate::tools::{Tool, ToolSet};

/// The schemas of the replies, with the names of the callable tools.
#[derive(Debug)]
pub(super) struct Formats {
    pub(super) plan: Arc<ReplySchema>,
    pub(super) execute: Arc<ReplySchema>,
    /// The names of the tools.
    pub(super) names: Vec<String>,
    /// What the prompt of the first stage says about the tools at its end; empty without tools.
    pub(super) plan_tools: String,
    /// The types of the replies that call the tools, for the end of the prompt of the second stage.
    pub(super) execute_tools: String,
}

/// The formats of a stage that runs outside a chain.
static WITHOUT_TOOLS: LazyLock<Arc<Formats>> =
    LazyLock::new(|| Arc::new(Formats::new(&ToolSet::new())));

impl Formats {
    pub(super) fn new(tools: &ToolSet) -> Self {
        let plan = schema("plan", &["todos"], tools);
        let execute = schema("execute", &["current", "result", "todos"], tools);
        let list = |introduction: &str, lines: Vec<String>| match lines.is_empty() {
            true => String::new(),
            false => format!("{introduction}{}", lines.join("\n")),
        };
        let about = |tool: &Tool| format!("- {}: {}", tool.name, tool.description);
        Self {
            plan: Arc::new(plan),
            execute: Arc::new(execute),
            names: tools.names().map(str::to_owned).collect(),
            plan_tools: list(PLAN_TOOLS, tools.iter().map(about).collect()),
            execute_tools: list(EXECUTE_TOOLS, tools.iter().map(call_type).collect()),
        }
    }

    pub(super) fn without_tools() -> &'static Arc<Self> {
        &WITHOUT_TOOLS
    }
}

const PLAN_TOOLS: &str = "\n\nThe tools for the tasks:\n";

const EXECUTE_TOOLS: &str = "\n\nOr of one of these, which call a tool:\n";

/// Writes the type of one kind of reply, whose members beside the action are texts, with what each means.
pub(super) fn reply_type(action: &str, about: &str, texts: &[(&str, &str)]) -> String {
    let texts = texts.iter().map(|(name, meaning)| {
        ((*name).to_owned(), json!({ "type": "string", "description": meaning }))
    });
    notation(action, about, texts, Definitions::default())
}

/// Writes the type of the reply that calls a tool.
fn call_type(tool: &Tool) -> String {
    let mut definitions = Definitions::default();
    let arguments = definitions.embed(&tool.schema, "tool");
    notation(&tool.name, &tool.description, [("arguments".to_owned(), arguments)], definitions)
}

/// Writes the type of a reply with one action, and with other members that are all required.
fn notation(
    action: &str,
    about: &str,
    members: impl IntoIterator<Item = (String, Value)>,
    definitions: Definitions,
) -> String {
    let action = ("action".to_owned(), json!({ "enum": [action] }));
    let properties: Map<String, Value> = [action].into_iter().chain(members).collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    let mut schema = object(properties, &required, definitions);
    schema.insert("description".to_owned(), json!(about));
    OutputSchema::from_json("reply", Value::Object(schema)).notation().to_owned()
}

/// Returns the schema of an object with an action and its arguments, these text members, and the final answer.
/// Only the action is required, and comes first: what else a reply has depends on it.
fn schema(name: &str, texts: &[&str], tools: &ToolSet) -> ReplySchema {
    let actions: Vec<&str> = tools.names().chain(["continue", "stop"]).collect();
    let mut properties = Map::new();
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
    for text in texts.iter().chain(&["final"]) {
        properties.insert((*text).to_owned(), json!({ "type": "string" }));
    }
    let json = object(properties, &["action".to_owned()], definitions);
    ReplySchema { name: name.to_owned(), json: Value::Object(json) }
}

/// Returns the schema of an object without other members.
fn object(
    properties: Map<String, Value>,
    required: &[String],
    definitions: Definitions,
) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    let definitions = definitions.into_map();
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}
