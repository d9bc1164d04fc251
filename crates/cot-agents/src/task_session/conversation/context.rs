//! What a program gives to the runs of its conversations.

use std::{fmt, sync::Arc};

use cot_task_format::{Block, Tool, internal::ToolDefinitions};

use crate::{
    task_session::{
        conversation::{
            limits::SessionLimits,
            text::{SharedText, text_of},
        },
        error::SessionBuildError,
    },
    tools::{self, ToolSet},
};

/// How many calls of a session run at the same time, unless its tools have another limit.
const MAX_CONCURRENCY: usize = 8;

/// What a program gives to the runs of its conversations: the tools, the explanation of the format, and the
/// limits. It is made by [`SessionBuilder::runner`](crate::task_session::SessionBuilder::runner), and not
/// stored.
#[derive(Clone)]
pub struct SessionContext(Arc<Inner>);

struct Inner {
    tools: ToolSet,
    /// The definitions of the tools in a trace.
    blocks: Vec<Block>,
    texts: Vec<SharedText>,
    definitions: ToolDefinitions,
    primer: Option<String>,
    limits: SessionLimits,
}

impl SessionContext {
    /// Creates a context. Fails if a tool can't be called in the format.
    pub(crate) fn new(
        tools: ToolSet,
        primer: Option<String>,
        limits: SessionLimits,
    ) -> Result<Self, SessionBuildError> {
        let blocks = tools.iter().map(tool_definition).collect::<Result<Vec<_>, _>>()?;
        let texts = blocks.iter().map(text_of).collect();
        let definitions = ToolDefinitions::from_blocks(&blocks);
        let tools = tools.with_own_permits(MAX_CONCURRENCY);
        Ok(Self(Arc::new(Inner { tools, blocks, texts, definitions, primer, limits })))
    }

    pub(crate) fn tools(&self) -> &ToolSet {
        &self.0.tools
    }

    pub(crate) fn tool_blocks(&self) -> &[Block] {
        &self.0.blocks
    }

    pub(crate) fn tool_texts(&self) -> &[SharedText] {
        &self.0.texts
    }

    pub(crate) fn definitions(&self) -> &ToolDefinitions {
        &self.0.definitions
    }

    /// Returns the explanation of the format; empty if there is none.
    pub(crate) fn primer(&self) -> &str {
        self.0.primer.as_deref().unwrap_or_default()
    }

    pub(crate) fn limits(&self) -> SessionLimits {
        self.0.limits
    }
}

impl fmt::Debug for SessionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionContext")
            .field("tools", self.tools())
            .field("limits", &self.limits())
            .finish_non_exhaustive()
    }
}

/// Creates the definition of a tool. Fails if its name or parameters conflict with the format.
fn tool_definition(tool: &tools::Tool) -> Result<Block, SessionBuildError> {
    let (name, schema) = (tool.name(), &tool.schema);
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(SessionBuildError::ToolName(name.to_owned()));
    }
    let properties = &schema.json()["properties"];
    let reserved = ["tool", "id"].into_iter().find(|name| properties.get(name).is_some());
    if let Some(parameter) = reserved {
        return Err(SessionBuildError::ToolParameter { tool: name.to_owned(), parameter });
    }
    Ok(Tool::from_schema(schema, name.to_owned(), tool.description().to_owned()).to_block())
}
