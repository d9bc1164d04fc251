//! Schemas of tools, and their JSON definitions.

use std::{ops::Deref, sync::Arc};

use cot_engine::SourceTool;
use cot_schema::OutputSchema;
use serde_json::{Value, json};

/// The schema of a tool's arguments: derived from a type, or given as JSON.
#[derive(Clone)]
pub(crate) enum ToolSchema {
    Type(&'static OutputSchema),
    Json(Arc<OutputSchema>),
}

/// The definition of a tool is invalid.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("the definition of the tool `{tool}` is invalid: {problem}")]
#[non_exhaustive]
pub struct ToolDefinitionError {
    /// The name of the tool, if the definition has one.
    pub tool: String,
    /// The problem.
    pub problem: String,
}

cot_schema::debug_as_sentence!(ToolDefinitionError);

impl Deref for ToolSchema {
    type Target = OutputSchema;

    fn deref(&self) -> &OutputSchema {
        match self {
            Self::Type(schema) => schema,
            Self::Json(schema) => schema,
        }
    }
}

impl ToolSchema {
    /// Creates the schema of a tool of a source.
    pub(super) fn from_listed(tool: &SourceTool) -> Result<Self, ToolDefinitionError> {
        let schema = OutputSchema::from_json(tool.name(), tool.schema.json.clone());
        match schema.compile_error() {
            Some(problem) => Err(ToolDefinitionError {
                tool: tool.name().to_owned(),
                problem: format!("its schema is invalid: {problem}"),
            }),
            None => Ok(Self::Json(Arc::new(schema))),
        }
    }
}

/// Parses `{"name", "description", "parameters"}`, or OpenAI's form of a tool.
pub(super) fn parse(definition: &Value) -> Result<SourceTool, ToolDefinitionError> {
    let name = definition.get("function").unwrap_or(definition).get("name");
    let name = name.and_then(Value::as_str).unwrap_or_default();
    let parsed = cot_task_format::Tool::from_openai(definition);
    let cot_task_format::Tool { description, parameters, .. } = parsed.map_err(|error| {
        ToolDefinitionError { tool: name.to_owned(), problem: error.to_string() }
    })?;
    let parameters = parameters.unwrap_or_else(|| json!({ "type": "object" }));
    Ok(SourceTool::new(name, description.unwrap_or_default(), parameters))
}
