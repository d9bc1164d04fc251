//! Preparation of a request for the server.

use std::borrow::Cow;

use cot_model::{AcceptedMedia, ModelError, ModelRequest, ReplySchema, Tool};
use cot_schema::Dialect;
use serde_json::Value;

use crate::{
    http::{ResponseFormat, in_dialect},
    request::{check_media, check_settings, tool_schema},
};

/// Checks the parts of a request that are the same in all protocols, for a server that accepts these images and
/// documents.
pub(super) fn check(
    request: &ModelRequest,
    accepted: AcceptedMedia,
    reserved: &[&str],
) -> Result<(), ModelError> {
    check_settings(&request.settings, reserved)?;
    if !request.tools.is_empty() {
        check_settings(&request.settings, &["tools"])?;
    }
    check_media(request, accepted)
}

/// A request with its schemas in the server's dialect.
pub(crate) struct PreparedRequest<'a> {
    pub(crate) request: &'a ModelRequest,
    pub(crate) schema: Option<SentSchema<'a>>,
    pub(crate) tools: Vec<SentTool<'a>>,
}

/// The schema of a reply in the server's dialect.
pub(crate) struct SentSchema<'a> {
    pub(crate) name: &'a str,
    pub(crate) json: Cow<'a, Value>,
    pub(crate) strict: bool,
}

/// A tool in the server's dialect.
pub(crate) struct SentTool<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) schema: Cow<'a, Value>,
    /// Set only for the strict dialect.
    pub(crate) strict: Option<bool>,
}

impl<'a> PreparedRequest<'a> {
    /// Rewrites the schemas that are sent once for all attempts.
    pub(super) fn new(
        request: &'a ModelRequest,
        format: ResponseFormat,
        dialect: Dialect,
        tool_dialect: Dialect,
    ) -> Result<Self, ModelError> {
        let schema = request.schema.as_deref().filter(|_| format == ResponseFormat::JsonSchema);
        let to_sent = |schema: &'a ReplySchema| {
            let json = in_dialect(&schema.json, dialect)?;
            Ok(SentSchema { name: &schema.name, json, strict: dialect == Dialect::OpenAiStrict })
        };
        let schema = schema.map(to_sent).transpose()?;
        let tools = request.tools.iter().map(|tool| SentTool::new(tool, tool_dialect));
        let tools = tools.collect::<Result<_, _>>()?;
        Ok(Self { request, schema, tools })
    }
}

impl<'a> SentTool<'a> {
    /// Rewrites the schema of a tool. A schema that the strict dialect can't express is sent as it is, without
    /// `strict`.
    fn new(tool: &'a Tool, dialect: Dialect) -> Result<Self, ModelError> {
        let is_strict = dialect == Dialect::OpenAiStrict;
        let (schema, strict) = match tool_schema(tool, dialect) {
            Ok(schema) => (schema, is_strict.then_some(true)),
            Err(_) if is_strict => (tool_schema(tool, Dialect::Plain)?, Some(false)),
            Err(error) => return Err(error),
        };
        Ok(Self { name: tool.name(), description: &tool.description, schema, strict })
    }
}
