//! Making sessions.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use cot_model::{LanguageModel, Usage};
use cot_schema::CotOutput;
use cot_task_format::Trace;
use serde::Serialize;
use serde_json::Value;

use super::{
    core::{Core, prompt::PRIMER},
    error::SessionBuildError,
    state::Session,
};
use crate::{task_session::core::limits::Limits, tools::Tools};

/// Says what a session is: its model, its system message, its tools and its limits.
#[derive(Clone)]
pub struct SessionBuilder {
    model: Arc<dyn LanguageModel>,
    system: String,
    primer: Option<String>,
    tools: Tools,
    limits: Limits,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
}

impl Session {
    /// Says what a session is.
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
            tools: Tools::default(),
            limits: Limits::default(),
            temperature: None,
            max_tokens: None,
        }
    }

    /// The system message, which the trace begins with: who the model is.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = text.into();
        self
    }

    /// Explains the format to the model in these words, instead of the library's; `None` for a model that
    /// knows the format. It goes along with each request, beside the trace.
    #[must_use]
    pub fn primer(mut self, text: Option<String>) -> Self {
        self.primer = text;
        self
    }

    /// Lets the model call a function. What it is called with is of the type that the function takes; the
    /// model is told of errors, panics too, and goes on. A tool of the same name gives way to this one.
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
        self.tools.add(name.into(), description.into(), run);
        self
    }

    /// Lets the model call a function that a definition in JSON describes: its `name`, its `description`, and
    /// as `parameters` the JSON schema of its arguments, or the same as OpenAI writes it. The function takes
    /// arguments that fit the schema.
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
        self.tools.add_json(definition, run);
        self
    }

    /// How many times the model may go on in one turn; 50, if nothing is said.
    #[must_use]
    pub const fn max_rounds(mut self, rounds: u32) -> Self {
        self.limits.rounds = rounds;
        self
    }

    /// How many replies in a row are asked for again, when something is wrong with them; 2, if nothing is
    /// said.
    #[must_use]
    pub const fn max_retries(mut self, retries: u32) -> Self {
        self.limits.retries = retries;
        self
    }

    /// How many calls one act may have; 100, if nothing is said.
    #[must_use]
    pub const fn max_calls(mut self, calls: usize) -> Self {
        self.limits.calls = calls;
        self
    }

    /// How many calls run at the same time, at least one; 8, if nothing is said.
    #[must_use]
    pub const fn max_concurrency(mut self, calls: usize) -> Self {
        self.limits.concurrency = calls;
        self
    }

    /// How long a reply may be, in bytes; 1 MiB, if nothing is said. A longer one is dropped while it comes
    /// in.
    #[must_use]
    pub const fn max_reply_bytes(mut self, bytes: usize) -> Self {
        self.limits.reply_bytes = bytes;
        self
    }

    /// How much of one result the model is told, in bytes; 64 KiB, if nothing is said. The rest is cut.
    #[must_use]
    pub const fn max_result_bytes(mut self, bytes: usize) -> Self {
        self.limits.result_bytes = bytes;
        self
    }

    /// How long the trace may be when the model is asked, in bytes; 4 MiB, if nothing is said.
    #[must_use]
    pub const fn max_trace_bytes(mut self, bytes: usize) -> Self {
        self.limits.trace_bytes = bytes;
        self
    }

    /// How long a reply may take to come in; without a limit, as long as the model's client waits. A limit
    /// needs a tokio runtime with time.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.limits.timeout = Some(limit);
        self
    }

    /// How long one call of a tool may take; what takes longer is dropped, and the model is told so. A
    /// limit needs a tokio runtime with time.
    #[must_use]
    pub const fn tool_timeout(mut self, limit: Duration) -> Self {
        self.limits.tool_timeout = Some(limit);
        self
    }

    /// Sampling temperature; without one, the engine chooses.
    #[must_use]
    pub const fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Most tokens that a reply may have; without a number, the engine chooses.
    #[must_use]
    pub const fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// A session that begins.
    ///
    /// # Errors
    ///
    /// A tool that can't be called in the format.
    pub fn build(self) -> Result<Session, SessionBuildError> {
        let core = Core::begin(&self.system, self.tools.clone(), self.limits.clone())?;
        Ok(self.session(core))
    }

    /// A session that goes on with a trace, such as one out of a file. The system message is that of the
    /// trace, and the tools are those of the session: they may be described in other words, there may be
    /// more of them, and [`tool_changes`](Session::tool_changes) says what has changed. A turn that has no
    /// response waits for [`go_on`](Session::go_on), which runs the calls again that have no result.
    ///
    /// # Errors
    ///
    /// A structure that can't stand where it stands, such as a call with arguments that the tool does not
    /// take any more, or a tool that the session does not have.
    pub fn resume(self, trace: Trace) -> Result<Session, SessionBuildError> {
        let core = Core::resume(trace, self.tools.clone(), self.limits.clone())?;
        Ok(self.session(core))
    }

    fn session(self, core: Core) -> Session {
        let Self { model, primer, temperature, max_tokens, .. } = self;
        Session { core, model, primer, temperature, max_tokens, usage: Usage::default() }
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
