//! Asks a model questions by runs of the process.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelError, ModelSettings};
use cot_runtime::Runner;

use crate::{
    configured_model::ConfiguredModel,
    reasoning::{
        active::ActiveReasoning,
        call_id::generate_call_id,
        machine::Machine,
        message::{Environment, Message},
        process::Reason,
    },
};

/// Asks a model questions. Each is a run of [`Reason`], with a [`Machine`] of its own.
///
/// ```
/// use cot_core::{
///     model::{ModelSettings, ScriptedModel},
///     reasoning::{Reasoner, ReasoningEvent},
/// };
/// use futures_util::StreamExt;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let model = ScriptedModel::new(["Step 1: It rains.\nSo: stay in."]).streaming(8);
/// let settings = ModelSettings { temperature: Some(0.2), ..ModelSettings::default() };
/// let mut reasoning = Reasoner::new(model).settings(settings).start("Shall we go out?");
/// let mut shown = String::new();
/// while let Some(event) = reasoning.next().await {
///     if let ReasoningEvent::Delta(text) = event {
///         shown.push_str(&text);
///     }
/// }
/// assert_eq!(shown, "Step 1: It rains.\nSo: stay in.");
/// assert_eq!(reasoning.machine().conclusion.as_deref(), Some("stay in."));
/// # });
/// ```
#[derive(Clone)]
pub struct Reasoner {
    model: ConfiguredModel,
    environment: Environment,
    runner: Runner<Reason>,
}

impl Reasoner {
    /// Creates a reasoner for this model.
    #[must_use]
    pub fn new(model: impl LanguageModel + 'static) -> Self {
        Self {
            model: ConfiguredModel::new(model),
            environment: Environment::default(),
            runner: Runner::new().token_deltas(true),
        }
    }

    /// Sets the system prompt. Defaults to [`default_system_prompt`](super::default_system_prompt).
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.environment.system_prompt = Some(text.into());
        self
    }

    /// Sets the settings of the model calls, such as the temperature.
    #[must_use]
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.model.settings = Arc::new(settings);
        self
    }

    /// Changes the runner of the questions: their budget, their time limit, their store, their observers. Its default
    /// model is that of the reasoner.
    ///
    /// With a store and a [name](Runner::run_id), a question that the store has is resumed: a call in flight is
    /// repeated, and a reply that is stored is returned without a call. Another question under this name fails
    /// without a call of the model.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(Runner<Reason>) -> Runner<Reason>) -> Self {
        self.runner = change(self.runner);
        self
    }

    /// Asks a question and returns the completed machine, with steps and conclusion.
    ///
    /// # Errors
    ///
    /// Fails with the error of the model, or of the run: see [`ActiveReasoning::finish`].
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
    pub fn resume(&self, machine: Machine) -> ActiveReasoning {
        if machine.pending().is_none() {
            return ActiveReasoning::finished(machine);
        }
        let machine = machine.reopen();
        let run = self.runner.clone().model(self.model.clone()).start(machine.clone());
        ActiveReasoning::new(machine, run)
    }
}

impl fmt::Debug for Reasoner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reasoner")
            .field("environment", &self.environment)
            .field("runner", &self.runner)
            .finish_non_exhaustive()
    }
}
