//! Builds sessions.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_model::{LanguageModel, Usage};
use cot_schema::CotOutput;
use cot_task_format::Trace;
use serde::Serialize;
use serde_json::Value;

use super::{
    conversation::{Conversation, prompt::PRIMER},
    error::SessionBuildError,
    state::Session,
};
use crate::{task_session::conversation::limits::Limits, tools::ToolSet};

/// Builds a [`Session`]: model, system message, tools and limits.
#[derive(Clone)]
pub struct SessionBuilder {
    model: Arc<dyn LanguageModel>,
    system: String,
    primer: Option<String>,
    tools: ToolSet,
    limits: Limits,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
}

impl Session {
    /// Creates a builder for sessions with this model.
    #[must_use]
    pub fn builder(model: impl LanguageModel + 'static) -> SessionBuilder {
        SessionBuilder::new(Arc::new(model))
    }
}

impl SessionBuilder {
    pub(super) fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self {
            model,
            system: "You are a helpful assistant.".to_owned(),
            primer: Some(PRIMER.to_owned()),
            tools: ToolSet::new(),
            limits: Limits::default(),
            temperature: None,
            max_tokens: None,
        }
    }

    /// Sets the system message, with which the trace begins.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = text.into();
        self
    }

    /// Replaces the explanation of the format; `None` for a model that was trained on the format. The
    /// explanation is sent with each request and is not part of the trace.
    #[must_use]
    pub fn primer(mut self, text: Option<String>) -> Self {
        self.primer = text;
        self
    }

    /// Adds a function that the model can call. The arguments are coerced into the function's parameter
    /// type. Errors and panics are reported to the model, which then continues. The tool replaces an earlier
    /// tool of the same name.
    #[must_use]
    pub fn tool<T, R, E, F>(
        mut self,
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
        self.tools = self.tools.tool(name, description, run);
        self
    }

    /// Adds a function with a JSON definition: its `name`, its `description`, and as `parameters` the JSON
    /// schema of its arguments; OpenAI's form of a tool is accepted too. The arguments that the function
    /// receives match the schema.
    ///
    /// ```
    /// use std::convert::Infallible;
    ///
    /// use cot_core::{model::ScriptedModel, task_format::session::Session};
    /// use serde_json::{Value, json};
    ///
    /// async fn add(numbers: Value) -> Result<i64, Infallible> {
    ///     Ok(["a", "b"].into_iter().filter_map(|name| numbers[name].as_i64()).sum())
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let definition = json!({
    ///     "name": "add",
    ///     "description": "Adds two numbers",
    ///     "parameters": {
    ///         "type": "object",
    ///         "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
    ///         "required": ["a", "b"],
    ///     },
    /// });
    /// let model = ScriptedModel::new([
    ///     "plan { todo ↦ { 1 ↦ \"Add.\" } } act { call ↦ { tool ↦ add • a ↦ 17 • b ↦ 5 • id ↦ x } ⊨ 1 }",
    ///     "response「22」 ※ x",
    /// ]);
    /// let mut session = Session::builder(model).json_tool(&definition, add).build()?;
    /// assert_eq!(session.user("17 + 5?").await?, "22");
    /// assert!(session.trace().to_string().contains("data ↦ 22"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn json_tool<R, E, F>(
        mut self,
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Self
    where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.tools = self.tools.json_tool(definition, run);
        self
    }

    /// Limits the replies of the model in one turn. Defaults to 50.
    #[must_use]
    pub const fn max_rounds(mut self, rounds: u32) -> Self {
        self.limits.rounds = rounds;
        self
    }

    /// Limits the consecutive rejected replies after which the model is asked again. Defaults to 2.
    #[must_use]
    pub const fn max_retries(mut self, retries: u32) -> Self {
        self.limits.retries = retries;
        self
    }

    /// Limits the calls in one act. Defaults to 100.
    #[must_use]
    pub const fn max_calls(mut self, calls: usize) -> Self {
        self.limits.calls = calls;
        self
    }

    /// Limits the calls that run concurrently; 0 is treated as 1. Defaults to 8.
    #[must_use]
    pub const fn max_concurrency(mut self, calls: usize) -> Self {
        self.limits.concurrency = calls;
        self
    }

    /// Limits the length of a reply in bytes. Defaults to 1 MiB. A longer reply is cancelled while it is
    /// received.
    #[must_use]
    pub const fn max_reply_bytes(mut self, bytes: usize) -> Self {
        self.limits.reply_bytes = bytes;
        self
    }

    /// Limits the bytes of one result that the model receives. Defaults to 64 KiB. The rest is truncated.
    #[must_use]
    pub const fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.limits.result_bytes = bytes;
        self
    }

    /// Limits the length of the trace in bytes when the model is asked. Defaults to 4 MiB.
    #[must_use]
    pub const fn max_trace_bytes(mut self, bytes: usize) -> Self {
        self.limits.trace_bytes = bytes;
        self
    }

    /// Limits the time of one reply. By default only the timeout of the model's client applies. Requires a
    /// tokio runtime with time enabled.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.limits.timeout = Some(limit);
        self
    }

    /// Limits the time of one tool call. A call that takes longer is cancelled, and the model receives an
    /// error. Requires a tokio runtime with time enabled.
    #[must_use]
    pub const fn tool_timeout(mut self, limit: Duration) -> Self {
        self.limits.tool_timeout = Some(limit);
        self
    }

    /// Sets the sampling temperature. Defaults to the server's value.
    #[must_use]
    pub const fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Limits the tokens of a reply. Defaults to the server's limit.
    #[must_use]
    pub const fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Builds a new session.
    ///
    /// # Errors
    ///
    /// Fails if a tool can't be called in the format.
    pub fn build(self) -> Result<Session, SessionBuildError> {
        let conversation =
            Conversation::new(&self.system, self.tools.clone(), self.limits.clone())?;
        Ok(self.session(conversation))
    }

    /// Resumes a session from a trace, such as one loaded from a file. The system message is that of the
    /// trace. The tools are those of the builder: they can have other descriptions, and further tools can be
    /// added; [`tool_changes`](Session::tool_changes) returns the differences. If the last turn has no
    /// response, [`continue_turn`](Session::continue_turn) resumes it and repeats the calls without a result.
    ///
    /// # Errors
    ///
    /// Fails if a structure of the trace is invalid at its position, such as a call of a tool that the
    /// session does not have, or a call with arguments that the tool no longer accepts.
    pub fn resume(self, trace: Trace) -> Result<Session, SessionBuildError> {
        let conversation = Conversation::resume(trace, self.tools.clone(), self.limits.clone())?;
        Ok(self.session(conversation))
    }

    fn session(self, conversation: Conversation) -> Session {
        let Self { model, primer, temperature, max_tokens, .. } = self;
        Session { conversation, model, primer, temperature, max_tokens, usage: Usage::default() }
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionBuilder")
            .field("system", &self.system)
            .field("tools", &self.tools)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
