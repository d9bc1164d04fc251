//! Tool definitions and their conversion from output types, to and from OpenAI definitions and
//! structures.

use cot_schema::{CotOutput, OutputSchema};
use serde_json::{Map, Value as Json, json};
use thiserror::Error;

use super::schema::{entries, parameters};
use crate::{
    block::{Block, BlockKind},
    diagnostic::quote_excerpt,
    value::{Expr, Object, Value},
};

/// The definition of a tool.
///
/// ```
/// use cot_core::task_format::Tool;
/// use serde_json::json;
///
/// let openai = json!({
///     "type": "function",
///     "function": {
///         "name": "get_weather",
///         "description": "The weather at a place",
///         "parameters": {
///             "type": "object",
///             "properties": { "zip": { "type": "string" }, "unit": { "enum": ["metric", "imperial"] } },
///             "required": ["zip"],
///         },
///     },
/// });
/// let tool = Tool::from_openai(&openai).unwrap();
/// assert_eq!(Tool::from_block(&tool.to_block()).unwrap(), tool);
/// assert_eq!(tool.to_openai(), openai);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The name, without spaces.
    pub name: String,
    /// The purpose of the tool, for the model.
    pub description: Option<String>,
    /// The JSON schema of the arguments; `None` if the definition has none.
    pub parameters: Option<Json>,
    /// Whether a server should force the model to follow the schema.
    pub strict: Option<bool>,
}

/// An error in a tool definition.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The value is not an object, or not a `tool` structure.
    #[error("is no definition of a tool")]
    NoTool,
    /// The name is missing or empty.
    #[error("a tool needs a name")]
    NoName,
    /// The parameters are malformed. The fields are the name of the tool and the problem.
    #[error("the parameters of {0} are wrong: {1}")]
    Parameters(String, String),
}

cot_schema::debug_as_sentence!(ToolError);

impl Tool {
    /// Creates a tool whose arguments are the fields of an output type.
    #[must_use]
    pub fn for_type<T: CotOutput>(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self::from_schema(T::output_schema(), name.into(), description.into())
    }

    /// Creates a tool from the schema of its arguments.
    #[doc(hidden)]
    #[must_use]
    pub fn from_schema(schema: &OutputSchema, name: String, description: String) -> Self {
        let parameters = Some(schema.json().clone());
        Self { name, description: Some(description), parameters, strict: None }
    }

    /// Reads a definition of OpenAI's chat completions API or responses API.
    ///
    /// # Errors
    ///
    /// Returns an error if the definition is not a valid function definition.
    pub fn from_openai(definition: &Json) -> Result<Self, ToolError> {
        let outer = definition.as_object().ok_or(ToolError::NoTool)?;
        if outer.get("type").is_some_and(|kind| kind != "function") {
            return Err(ToolError::NoTool);
        }
        let function = outer.get("function").unwrap_or(definition);
        let name = function.get("name").and_then(Json::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or(ToolError::NoName)?;
        let parameters = function.get("parameters").filter(|schema| !schema.is_null()).cloned();
        if parameters.as_ref().is_some_and(|schema| !schema.is_object()) {
            let problem = "they are not an object".to_owned();
            return Err(ToolError::Parameters(quote_excerpt(name), problem));
        }
        Ok(Self {
            name: name.to_owned(),
            description: function.get("description").and_then(Json::as_str).map(str::to_owned),
            parameters,
            strict: function.get("strict").and_then(Json::as_bool),
        })
    }

    /// Converts the tool to a definition of OpenAI's chat completions API.
    #[must_use]
    pub fn to_openai(&self) -> Json {
        let mut function = Map::new();
        function.insert("name".to_owned(), self.name.clone().into());
        if let Some(description) = &self.description {
            function.insert("description".to_owned(), description.clone().into());
        }
        if let Some(parameters) = &self.parameters {
            function.insert("parameters".to_owned(), parameters.clone());
        }
        if let Some(strict) = self.strict {
            function.insert("strict".to_owned(), strict.into());
        }
        json!({ "type": "function", "function": function })
    }

    /// Reads a `tool { … }` structure.
    ///
    /// # Errors
    ///
    /// Returns an error if the structure is not a tool, has no name, or has malformed parameters.
    pub fn from_block(block: &Block) -> Result<Self, ToolError> {
        let object = block.content.as_object().filter(|_| block.kind == BlockKind::Tool);
        let object = object.ok_or(ToolError::NoTool)?;
        let text = |key: &str| object.get(key).and_then(Expr::as_text).map(str::to_owned);
        let name = text("name").filter(|name| !name.is_empty()).ok_or(ToolError::NoName)?;
        let wrong = |problem| ToolError::Parameters(quote_excerpt(&name), problem);
        let parameters = parameters(object).map_err(|(problem, _)| wrong(problem))?;
        let strict = object.get("strict").and_then(|expr| expr.to_plain_json().as_bool());
        Ok(Self { description: text("description"), parameters, strict, name })
    }

    /// Converts the tool to a `tool { … }` structure.
    #[must_use]
    pub fn to_block(&self) -> Block {
        let mut object = Object::default().with("name", self.name.as_str());
        if let Some(description) = &self.description {
            object = object.with("description", description.as_str());
        }
        if let Some(strict) = self.strict {
            object = object.with("strict", Value::Bool(strict));
        }
        for (key, json) in self.parameters.iter().flat_map(entries) {
            object = object.with(key, Expr::from_plain_json(&json));
        }
        Block::new(BlockKind::Tool, object)
    }
}
