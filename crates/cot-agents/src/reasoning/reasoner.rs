//! Performs the directives of the machine on a model.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelError, ModelRequest};

use super::active::Call;
use crate::{
    heard::HeardCall,
    reasoning::{
        active::ActiveReasoning,
        call_id::generate_call_id,
        machine::Machine,
        message::{Environment, Message},
    },
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
    /// A reasoner that asks this model.
    #[must_use]
    pub fn new(model: impl LanguageModel + 'static) -> Self {
        Self {
            model: Arc::new(model),
            environment: Environment::default(),
            temperature: None,
            max_tokens: None,
        }
    }

    /// The system message; without one, it is [`default_system_prompt`](super::default_system_prompt).
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.environment.system_prompt = Some(text.into());
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

    /// Asks a question, and gives the machine as it ended: completed, with steps and conclusion.
    ///
    /// # Errors
    ///
    /// What the model failed of.
    pub async fn run(&self, prompt: impl Into<String>) -> Result<Machine, ModelError> {
        self.start(prompt).finish().await
    }

    /// Asks a question, and hands on what happens as a stream. Nothing happens before it is polled;
    /// dropping it drops the call.
    #[must_use]
    pub fn start(&self, prompt: impl Into<String>) -> ActiveReasoning {
        let mut machine = Machine::new();
        let (prompt, call_id) = (prompt.into(), generate_call_id());
        machine.update_in(Message::Start { prompt, call_id }, &self.environment);
        self.resume(machine)
    }

    /// Goes on with a machine, such as one out of a map: asks again what it waits for. Of a machine that
    /// waits for nothing, the stream is empty.
    #[must_use]
    pub fn resume(&self, mut machine: Machine) -> ActiveReasoning {
        let call_id = machine.current_call_id().unwrap_or_default().to_owned();
        machine.update(Message::LlmRestart { call_id: call_id.clone() });
        let request = machine.pending().and_then(|directive| directive.request());
        let call = request.map(|request| self.call(call_id, request));
        ActiveReasoning::new(machine, call)
    }

    fn call(&self, call_id: String, mut request: ModelRequest) -> Call {
        request.temperature = self.temperature;
        request.max_tokens = self.max_tokens;
        Call { id: call_id, heard: HeardCall::new(Arc::clone(&self.model), request, None) }
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
