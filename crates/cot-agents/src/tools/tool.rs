//! A tool and its settings.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_engine::{Effect, SourceTool, ToolSource};
use cot_model::ReplySchema;
use cot_reader::internal::coerce_output;
use cot_schema::{CotOutput, Issues};
use serde::Serialize;
use serde_json::Value;

use super::{
    definition::{self, ToolDefinitionError, ToolSchema},
    function::{self, StartCall, ToolCall},
};

/// A function that a model can call, with its settings.
#[derive(Clone)]
pub struct Tool {
    /// What models and processes know of the tool.
    pub(crate) listed: SourceTool,
    pub(crate) schema: ToolSchema,
    pub(super) timeout: Option<Duration>,
    pub(super) max_retries: u32,
    start: StartCall,
}

impl Tool {
    /// Creates a tool. The arguments of a call are coerced into the function's parameter type. Invalid
    /// arguments, errors and panics are reported to the model, which can try again.
    #[must_use]
    pub fn new<T, R, E, F>(
        name: impl Into<String>,
        description: impl Into<String>,
        run: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Self
    where
        T: CotOutput,
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let schema = T::output_schema();
        let listed = SourceTool::new(name, description, Value::Null);
        Self::with_start(listed, ToolSchema::Type(schema), function::typed(run))
    }

    /// Creates a tool with a JSON definition: its `name`, its `description`, and as `parameters` the JSON
    /// schema of its arguments; OpenAI's form of a tool is accepted too. The arguments that the function
    /// receives match the schema.
    ///
    /// # Errors
    ///
    /// Fails if the definition has another form, or its schema is invalid.
    pub fn from_json<R, E, F>(
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Result<Self, ToolDefinitionError>
    where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let listed = definition::parse(definition)?;
        let schema = ToolSchema::from_listed(&listed)?;
        Ok(Self::with_start(listed, schema, function::typed(run)))
    }

    /// Creates a tool for each tool of a source, such as an MCP server, with its effect and its need for approval.
    ///
    /// # Errors
    ///
    /// Fails if the schema of a tool is invalid.
    pub fn from_source(
        source: impl ToolSource + 'static,
    ) -> Result<Vec<Self>, ToolDefinitionError> {
        let source: Arc<dyn ToolSource> = Arc::new(source);
        let tools = source.tools().iter().map(|tool| {
            let start = function::sourced(Arc::clone(&source), tool.name().to_owned());
            Ok(Self::with_start(tool.clone(), ToolSchema::from_listed(tool)?, start))
        });
        tools.collect()
    }

    fn with_start(mut listed: SourceTool, schema: ToolSchema, start: StartCall) -> Self {
        let (name, json) = (listed.name().to_owned(), schema.json().clone());
        listed.schema = Arc::new(ReplySchema { name, json });
        Self { listed, schema, timeout: None, max_retries: 0, start }
    }

    /// Makes each call at most once: its start is durable before it is made, and a call whose outcome is
    /// unknown after a crash or a time-out is not repeated. By default such a call is made again.
    #[must_use]
    pub const fn once(mut self) -> Self {
        self.listed.effect = Effect::Once;
        self
    }

    /// Asks a person before each call. The answer is an [`Approval`](cot_engine::Approval).
    #[must_use]
    pub const fn approved(mut self) -> Self {
        self.listed.needs_approval = true;
        self
    }

    /// Limits the time of a call, in place of the limit of the set. Requires a tokio runtime with time
    /// enabled.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Repeats a failed call up to this often before the model receives the error, after a pause of 200 ms
    /// that doubles each time. Defaults to 0. A call that is made [once](Self::once) is repeated only if its
    /// function returned an error. Requires a tokio runtime with time enabled.
    #[must_use]
    pub const fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listed.name()
    }

    pub(crate) fn description(&self) -> &str {
        &self.listed.description
    }

    /// Returns whether each call is made at most once.
    pub(crate) fn is_once(&self) -> bool {
        self.listed.effect == Effect::Once
    }

    /// Starts a call. The function runs when the future is polled.
    pub(crate) fn start(&self, arguments: Value, key: &str) -> Result<ToolCall, Issues> {
        (self.start)(coerce_output(&self.schema, arguments)?, key)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name())
            .field("effect", &self.listed.effect)
            .field("needs_approval", &self.listed.needs_approval)
            .field("timeout", &self.timeout)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}
