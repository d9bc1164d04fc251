//! Builds sessions.

use std::{fmt, sync::Arc, time::Duration};

use cot_engine::{Approval, Machine, Question, ResumeOptions, Snapshot, SnapshotError};
use cot_model::{LanguageModel, ModelSettings, ScriptedModel, Usage};
use cot_runtime::Runner;
use cot_store::{RunId, Store, internal::RecoveredRun};
use cot_task_format::Trace;

use super::{
    conversation::{
        context::SessionContext, limits::SessionLimits, opening::tool_changes,
        process::Conversation, prompt, state::ConversationState,
    },
    error::{SessionBuildError, SessionOpenError},
    session::{Approver, Session, SessionRun},
};
use crate::{configured_model::ConfiguredModel, tools::ToolSet};

/// Builds a [`Session`]: model, system message, tools and limits.
#[derive(Clone)]
pub struct SessionBuilder {
    model: ConfiguredModel,
    system: String,
    primer: Option<Option<String>>, // In place of the default one.
    tools: ToolSet,
    limits: SessionLimits,
    approver: Option<Approver>,
    configure: Option<Configure>,
}

/// Configures the runner of a session.
type Configure = Arc<dyn Fn(Runner<Conversation>) -> Runner<Conversation> + Send + Sync>;

impl Session {
    /// Creates a builder for sessions with this model.
    #[must_use]
    pub fn builder(model: impl LanguageModel + 'static) -> SessionBuilder {
        SessionBuilder {
            model: ConfiguredModel::new(model),
            system: "You are a helpful assistant.".to_owned(),
            primer: None,
            tools: ToolSet::new(),
            limits: SessionLimits::default(),
            approver: None,
            configure: None,
        }
    }
}

impl SessionBuilder {
    /// Sets the system message, with which the trace begins.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = text.into();
        self
    }

    /// Replaces the explanation of the format, whose example calls the first tool; `None` for a model that was trained on the format. The
    /// explanation is sent with each request and is not part of the trace.
    #[must_use]
    pub fn primer(mut self, text: Option<String>) -> Self {
        self.primer = Some(text);
        self
    }

    /// Sets the tools, with the limits of their set. Errors and panics are reported to the model, which then continues. At
    /// most 8 calls of a session run
    /// concurrently, unless the set has [another limit](ToolSet::max_concurrency), which is at most 100.
    #[must_use]
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the function that is asked before each call of a tool that needs
    /// [approval](crate::tools::Tool::approved). Without it, such a call of a stored conversation waits
    /// for an answer in the store, and any other is denied.
    #[must_use]
    pub fn approve<F>(
        mut self,
        approve: impl Fn(Arc<Question>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Approval> + Send + 'static,
    {
        self.approver = Some(Arc::new(move |question| Box::pin(approve(question))));
        self
    }

    /// Configures the runner of the conversation: its budget, its time limit, its observers, its capture.
    /// The limits apply to the whole conversation. If its run ends, a session in memory starts another.
    #[must_use]
    pub fn configure(
        mut self,
        configure: impl Fn(Runner<Conversation>) -> Runner<Conversation> + Send + Sync + 'static,
    ) -> Self {
        self.configure = Some(Arc::new(configure));
        self
    }

    /// Sets the limits of turns, replies and the trace.
    #[must_use]
    pub const fn limits(mut self, limits: SessionLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Limits the time of one reply. By default only the timeout of the model's client applies. Requires a
    /// tokio runtime with time enabled.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.model.timeout = Some(limit);
        self
    }

    /// Sets the settings of the model calls, such as the temperature.
    #[must_use]
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.model.settings = Arc::new(settings);
        self
    }

    /// Builds a new session.
    ///
    /// # Errors
    ///
    /// Fails if a tool can't be called in the format.
    pub fn build(self) -> Result<Session, SessionBuildError> {
        let context = self.context()?;
        let state = ConversationState::new(&self.system, &context);
        Ok(self.session(context, state, SessionRun::Memory(None)))
    }

    /// Resumes a session from a trace, such as one loaded from a file. The system message is that of the
    /// trace. The tools are those of the builder: they can have other descriptions, and further tools can
    /// be added; [`tool_changes`](Session::tool_changes) returns the differences. If the last turn has no
    /// response, [`continue_turn`](Session::continue_turn) resumes it and repeats the calls without a
    /// result.
    ///
    /// # Errors
    ///
    /// Fails if a structure of the trace is invalid at its position, such as a call of a tool that the
    /// session does not have, or a call with arguments that the tool no longer accepts.
    pub fn resume(self, trace: Trace) -> Result<Session, SessionBuildError> {
        let context = self.context()?;
        let (state, changes) = ConversationState::from_trace(trace, &context)?;
        let mut session = self.session(context, state, SessionRun::Memory(None));
        session.changes = changes;
        Ok(session)
    }

    /// Opens the session of a stored run, which survives its program. If the store has no run of this
    /// name, the first turn starts it. Each turn continues the run, and releases it in the end: between
    /// turns, other programs and `cot runs answer` can continue it, too.
    ///
    /// The system message is that of the run. The tools are those of the builder:
    /// [`tool_changes`](Session::tool_changes) returns the differences. A call of a tool that is gone is
    /// answered with an error, which the model receives. If the last turn has no response,
    /// [`continue_turn`](Session::continue_turn) continues it.
    ///
    /// # Errors
    ///
    /// Fails if a tool can't be called in the format, the name is not valid, the store can't be read, or
    /// the run is not one of this process.
    pub async fn open(
        self,
        store: impl Store + Clone + 'static,
        run: impl AsRef<str>,
    ) -> Result<Session, SessionOpenError> {
        let context = self.context()?;
        let run: RunId = run.as_ref().parse()?;
        let stored = RecoveredRun::load_without_blobs(&store, &run, None).await?;
        let stored = match stored {
            Some(stored) => Some(
                read_state(stored, &context, &run)
                    .map_err(|source| SessionOpenError::Snapshot { run: run.clone(), source })?,
            ),
            None => None,
        };
        let (state, usage) = stored
            .unwrap_or_else(|| (ConversationState::new(&self.system, &context), Usage::default()));
        let changes = tool_changes(&state.tools, &context);
        // A model without replies stops a turn, so that it can be abandoned.
        let nothing = SessionContext::new(ToolSet::new(), None, SessionLimits::default())?;
        let abandoning = Runner::with_context(nothing).model(ScriptedModel::new([""; 0]));
        let abandoning = abandoning.store(store.clone());
        let mut session = self.session(context, state, SessionRun::Memory(None));
        session.run =
            SessionRun::Stored { run, runner: session.runner.clone().store(store), abandoning };
        (session.changes, session.usage) = (changes, usage);
        Ok(session)
    }

    /// Returns the runner of the conversation and its state before the first message: for a
    /// [`Worker`](cot_runtime::Worker), and for tests.
    ///
    /// # Errors
    ///
    /// Fails if a tool can't be called in the format.
    pub fn runner(&self) -> Result<(Runner<Conversation>, ConversationState), SessionBuildError> {
        let context = self.context()?;
        let state = ConversationState::new(&self.system, &context);
        Ok((self.runner_with(context), state))
    }

    /// Returns the context of the conversation: for a [`Machine`], and for a process that contains a
    /// conversation.
    ///
    /// # Errors
    ///
    /// Fails if a tool can't be called in the format.
    pub fn context(&self) -> Result<SessionContext, SessionBuildError> {
        let primer = self.primer.clone().unwrap_or_else(|| Some(prompt::primer(&self.tools)));
        SessionContext::new(self.tools.clone(), primer, self.limits)
    }

    fn runner_with(&self, context: SessionContext) -> Runner<Conversation> {
        let runner = Runner::with_context(context).model(self.model.clone()).token_deltas(true);
        match &self.configure {
            Some(configure) => configure(runner),
            None => runner,
        }
    }

    fn session(
        &self,
        context: SessionContext,
        state: ConversationState,
        run: SessionRun,
    ) -> Session {
        let runner = self.runner_with(context.clone());
        Session::new(context, runner, state, run, self.approver.clone())
    }
}

/// Reads the state and the usage of a stored conversation.
fn read_state(
    stored: RecoveredRun,
    context: &SessionContext,
    run: &RunId,
) -> Result<(ConversationState, Usage), SnapshotError> {
    let (snapshot, options) = (Snapshot::from_json(&stored.snapshot)?, ResumeOptions::default());
    let context = context.clone();
    let mut machine =
        Machine::<Conversation>::resume_with_context(snapshot, &options, context, run.as_str())?;
    for record in stored.events {
        machine.poll();
        machine.handle(record.event);
    }
    let usage = machine.usage();
    Ok((machine.into_state().unwrap_or_default(), usage))
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
