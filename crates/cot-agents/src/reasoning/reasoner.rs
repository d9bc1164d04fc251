//! Performs the directives of the machine with a model.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelError, ModelRequest};

use super::active::Call;
use crate::{
    reasoning::{
        active::ActiveReasoning,
        call_id::generate_call_id,
        machine::Machine,
        message::{Environment, Message},
    },
    streaming_call::StreamingCall,
};

/// Asks a model questions, each with a [`Machine`] of its own.
///
/// ```
/// use cot_core::{
///     model::ScriptedModel,
///     reasoning::{Reasoner, ReasoningEvent},
/// };
/// use futures_util::StreamExt;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let model = ScriptedModel::new(["Step 1: It rains.\nSo: stay in."]).streaming(8);
/// let mut reasoning = Reasoner::new(model).temperature(0.2).start("Shall we go out?");
/// let mut shown = String::new();
/// while let Some(event) = reasoning.next().await {
///     if let ReasoningEvent::Delta(text) = event {
///         shown.push_str(&text);
///     }
/// }
/// assert_eq!(shown, "Step 1: It rains.\nSo: stay in.");
/// assert_eq!(reasoning.machine().conclusion(), Some("stay in."));
/// # });
/// ```
#[derive(Clone)]
pub struct Reasoner {
    model: Arc<dyn LanguageModel>,
    environment: Environment,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
}

impl Reasoner {
    /// Creates a reasoner for this model.
    #[must_use]
    pub fn new(model: impl LanguageModel + 'static) -> Self {
        Self {
            model: Arc::new(model),
            environment: Environment::default(),
            temperature: None,
            max_tokens: None,
        }
    }

    /// Sets the system prompt. Defaults to [`default_system_prompt`](super::default_system_prompt).
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.environment.system_prompt = Some(text.into());
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

    /// Asks a question and returns the completed machine, with steps and conclusion.
    ///
    /// # Errors
    ///
    /// Fails with the error of the model.
    pub async fn run(&self, prompt: impl Into<String>) -> Result<Machine, ModelError> {
        self.start(prompt).finish().await
    }

    /// Asks a question and returns a stream of events. The model is called at the first poll; dropping the
    /// stream cancels the call.
    #[must_use]
    pub fn start(&self, prompt: impl Into<String>) -> ActiveReasoning {
        let mut machine = Machine::new();
        let (prompt, call_id) = (prompt.into(), generate_call_id());
        machine.update_in(Message::Start { prompt, call_id }, &self.environment);
        self.resume(machine)
    }

    /// Resumes a machine, such as one restored from a map: repeats the call that it waits for. The stream is
    /// empty if the machine waits for none.
    #[must_use]
    pub fn resume(&self, mut machine: Machine) -> ActiveReasoning {
        let call_id = machine.current_call_id().unwrap_or_default().to_owned();
        machine.update(Message::LlmRestart { call_id: call_id.clone() });
        let request = machine.pending().and_then(|directive| directive.request());
        let call = request.map(|request| self.call(call_id, request));
        ActiveReasoning::new(machine, call)
    }

    fn call(&self, call_id: String, mut request: ModelRequest) -> Call {
        request.settings.temperature = self.temperature;
        request.settings.max_tokens = self.max_tokens;
        Call { id: call_id, stream: StreamingCall::new(Arc::clone(&self.model), request, None) }
    }
}

impl fmt::Debug for Reasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reasoner")
            .field("environment", &self.environment)
            .field("temperature", &self.temperature)
            .field("max_tokens", &self.max_tokens)
            .finish_non_exhaustive()
    }
}
