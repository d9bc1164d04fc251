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
    /// The tools in a line each, for the prompt of the first stage.
    pub(super) tools: String,
    /// The types of the replies that call the tools, in a line each, for the prompt of the second stage.
    pub(super) calls: String,
}

/// The formats of a stage that runs outside a chain.
static WITHOUT_TOOLS: LazyLock<Arc<Formats>> =
    LazyLock::new(|| Arc::new(Formats::new(&ToolSet::new())));

impl Formats {
    pub(super) fn new(tools: &ToolSet) -> Self {
        let plan = schema("plan", &["todos"], tools);
        let execute = schema("execute", &["current", "result", "todos"], tools);
        let about = |tool: &Tool| format!("- {}: {}\n", tool.name(), tool.description());
        Self {
            plan: Arc::new(plan),
            execute: Arc::new(execute),
            names: tools.names().map(str::to_owned).collect(),
            tools: tools.iter().map(about).collect(),
            calls: tools.iter().map(call_type).collect(),
        }
    }

    pub(super) fn without_tools() -> &'static Arc<Self> {
        &WITHOUT_TOOLS
    }
}

/// Writes the type of one kind of reply, whose members beside the action are texts.
pub(super) fn reply_type(action: &str, about: &str, texts: &[&str]) -> String {
    let texts = texts.iter().map(|text| ((*text).to_owned(), json!({ "type": "string" })));
    notation(action, about, texts, Definitions::default())
}

/// Writes the type of the reply that calls a tool.
fn call_type(tool: &Tool) -> String {
    let mut definitions = Definitions::default();
    let arguments = definitions.embed(&tool.schema, "tool");
    let about = format!("Calls a tool: {}", tool.description());
    notation(tool.name(), &about, [("arguments".to_owned(), arguments)], definitions)
}

/// Writes the type of a reply with one action, and with other members that are all required, in a line.
fn notation(
    action: &str,
    about: &str,
    members: impl IntoIterator<Item = (String, Value)>,
    definitions: Definitions,
) -> String {
    let action = ("action".to_owned(), json!({ "enum": [action] }));
    let properties: Map<String, Value> = [action].into_iter().chain(members).collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    let schema = Value::Object(object(properties, &required, definitions));
    on_one_line(OutputSchema::from_json("reply", schema).notation(), about)
}

/// Puts a type on one line, and the comments in it after it: small models copy comments that stand between members.
/// A type with named types keeps its lines.
fn on_one_line(notation: &str, about: &str) -> String {
    if notation.contains("\n\n") {
        return format!("// {about}\n{notation}\n");
    }
    let (mut shape, mut notes) = (Vec::new(), vec![about.to_owned()]);
    for line in notation.lines().map(str::trim) {
        let (text, note) = split_comment(line);
        shape.push(text);
        let member = text.split_once("\": ").map(|(name, _)| format!("{name}\": "));
        notes.extend((!note.is_empty()).then(|| member.unwrap_or_default() + note));
    }
    let ended = notes.iter().map(|note| note.trim_end_matches('.')).collect::<Vec<_>>();
    format!("{} // {}.\n", shape.join(" "), ended.join(". "))
}

/// Splits a line of a type before its comment. An option or a name may contain the same characters.
fn split_comment(line: &str) -> (&str, &str) {
    let (mut in_text, mut is_escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = in_text,
            '"' => in_text = !in_text,
            ' ' if !in_text => {
                if let Some(comment) = line[at..].strip_prefix(" // ") {
                    return (&line[..at], comment);
                }
            }
            _ => {}
        }
    }
    (line, "")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_no_comments() {
        for (line, split) in [
            (r#""a": string, // What it is."#, (r#""a": string,"#, "What it is.")),
            (r#""a": "x // y" or "z""#, (r#""a": "x // y" or "z""#, "")),
            (r#""a": "\" // y" // "b" // c"#, (r#""a": "\" // y""#, r#""b" // c"#)),
            ("}", ("}", "")),
        ] {
            assert_eq!(split_comment(line), split);
        }
    }
}
