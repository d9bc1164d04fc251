//! One question as a pure state machine.

mod map;
mod members;

pub use cot_engine::internal::default_system_prompt;
use cot_model::{FinishReason, ModelError, Role, Usage};
use cot_reader::{Step, extract_steps_and_conclusion};
use serde::{Deserialize, Serialize};

use self::members::{MachineResult, TotalUsage};
use crate::reasoning::message::{
    ChatMessage, ChunkType, Directive, Environment, Message, StartRefusal, Status,
    TerminationReason,
};
pub use map::MapError;

/// One question as a pure state machine: no clock, no randomness, no I/O.
///
/// Pass each message to [`update`](Self::update), and perform the directives that it returns:
///
/// ```text
/// Idle --Start--> Reasoning --LlmResult--> Completed, or Error
/// ```
///
/// A start while a question is open is rejected as *busy*. Messages about another call than the current one
/// are ignored, as are all messages after the end.
///
/// ```
/// use cot_core::{
///     model::ModelReply,
///     reasoning::{Directive, Machine, Message, Status},
/// };
///
/// let mut machine = Machine::new();
/// let (prompt, call_id) = ("What is 2 + 2?".to_owned(), "cot_1".to_owned());
/// let directives = machine.update(Message::Start { prompt, call_id });
/// let [Directive::CallLlmStream { call_id, .. }] = &directives[..] else { unreachable!() };
///
/// // Call the model with `directives[0].request()`, and pass its result to the machine:
/// let result = Ok(ModelReply::new("Step 1: 2 + 2 is 4.\nAnswer: 4"));
/// machine.update(Message::LlmResult { call_id: call_id.clone(), result });
/// assert_eq!((machine.status, machine.conclusion.as_deref()), (Status::Completed, Some("4")));
///
/// let elsewhere = Machine::from_map(machine.to_map())?;
/// assert_eq!(elsewhere, machine);
/// # Ok::<(), cot_core::reasoning::MapError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The status.
    #[serde(deserialize_with = "members::or_default")]
    pub status: Status,
    /// The question.
    pub prompt: Option<String>,
    /// The system prompt of the question; [`default_system_prompt`] if `None`.
    pub system_prompt: Option<String>,
    /// The steps of the reply.
    #[serde(deserialize_with = "members::or_default")]
    pub steps: Vec<Step>,
    /// The conclusion of the reply, if it has one.
    pub conclusion: Option<String>,
    /// The complete text of the reply.
    pub raw_response: Option<String>,
    /// Why the model stopped: it finished, was cut off, or refused to answer.
    pub finish: Option<FinishReason>,
    result: Option<MachineResult>,
    /// The error of the model.
    pub error: Option<ModelError>,
    /// The id of the current or last call.
    pub current_call_id: Option<String>,
    /// Why the machine ended.
    pub termination_reason: Option<TerminationReason>,
    /// The part of the reply that has arrived.
    #[serde(deserialize_with = "members::or_default")]
    pub streaming_text: String,
    #[serde(deserialize_with = "members::or_default")]
    usage: TotalUsage,
    /// The caller's time at the start, in milliseconds. It can be negative.
    pub started_at: Option<i64>,
}

impl Machine {
    /// Creates an idle machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a machine whose question waits for its call: the state of a run of [`Reason`](super::Reason). To
    /// give it a system prompt, a time or a call id, send a [`Message::Start`] to a new machine.
    ///
    /// ```
    /// use cot_core::{model::ScriptedModel, reasoning::{Machine, Reason}};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let model = ScriptedModel::new(["Step 1: 2 + 2 is 4.\nAnswer: 4"]);
    /// let run = Reason::runner().model(model).run(Machine::asking("What is 2 + 2?")).await?;
    /// assert_eq!(run.state.conclusion.as_deref(), Some("4"));
    /// # Ok::<(), cot_core::RunError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn asking(prompt: impl Into<String>) -> Self {
        let mut machine = Self::new();
        machine.start(prompt.into(), "cot".to_owned(), &Environment::default());
        machine
    }

    /// Handles a message. Returns the directives to perform, in most cases none.
    pub fn update(&mut self, message: Message) -> Vec<Directive> {
        self.update_in(message, &Environment::default())
    }

    /// Like [`update`](Self::update), with the system prompt and the time of an [`Environment`].
    pub fn update_in(&mut self, message: Message, environment: &Environment) -> Vec<Directive> {
        match (self.status, message) {
            (Status::Idle, Message::Start { prompt, call_id }) => {
                self.start(prompt, call_id, environment);
                self.pending().into_iter().collect()
            }
            (Status::Reasoning, Message::Start { call_id, .. }) => vec![busy_error(call_id)],
            (Status::Reasoning, Message::LlmResult { call_id, result })
                if self.is_waiting_for(&call_id) =>
            {
                match result {
                    Ok(reply) => {
                        self.usage.add(reply.usage);
                        self.conclude(reply.text, reply.finish);
                    }
                    Err(error) => self.fail(error),
                }
                Vec::new()
            }
            (Status::Reasoning, Message::LlmPartial { call_id, delta, chunk_type })
                if self.is_waiting_for(&call_id) && chunk_type == ChunkType::Content =>
            {
                self.streaming_text.push_str(&delta);
                Vec::new()
            }
            (Status::Reasoning, Message::LlmRestart { call_id })
                if self.is_waiting_for(&call_id) =>
            {
                self.streaming_text.clear();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the directive for the call that the machine waits for. Use it to repeat the call after
    /// restoring the machine from a map.
    #[must_use]
    pub fn pending(&self) -> Option<Directive> {
        let (Status::Reasoning, Some(call_id)) = (self.status, &self.current_call_id) else {
            return None;
        };
        let says = |role, content: &str| ChatMessage { role, content: content.to_owned() };
        Some(Directive::CallLlmStream {
            call_id: call_id.clone(),
            conversation: vec![
                says(Role::System, self.system_text()),
                says(Role::User, self.prompt.as_deref().unwrap_or_default()),
            ],
        })
    }

    fn start(&mut self, prompt: String, call_id: String, environment: &Environment) {
        *self = Self {
            status: Status::Reasoning,
            prompt: Some(prompt),
            system_prompt: environment.system_prompt.clone(),
            current_call_id: Some(call_id),
            started_at: environment.now,
            ..Self::default()
        };
    }

    /// Completes the question with a reply.
    pub(super) fn conclude(&mut self, text: String, finish: FinishReason) {
        let (steps, conclusion) = extract_steps_and_conclusion(&text);
        self.status = Status::Completed;
        self.termination_reason = Some(TerminationReason::Success);
        self.finish = Some(finish);
        self.result = Some(conclusion.clone().unwrap_or_else(|| text.clone()).into());
        self.raw_response = Some(text);
        self.steps = steps;
        self.conclusion = conclusion;
    }

    fn fail(&mut self, error: ModelError) {
        self.status = Status::Error;
        self.termination_reason = Some(TerminationReason::Error);
        self.result = Some(error.to_string().into());
        self.error = Some(error);
    }

    /// Returns the machine as it was when the call started.
    pub(super) fn reopen(&self) -> Self {
        Self {
            status: Status::Reasoning,
            prompt: self.prompt.clone(),
            system_prompt: self.system_prompt.clone(),
            current_call_id: self.current_call_id.clone(),
            usage: self.usage.clone(),
            started_at: self.started_at,
            ..Self::default()
        }
    }

    /// Returns the system prompt of the question.
    pub(super) fn system_text(&self) -> &str {
        self.system_prompt.as_deref().unwrap_or(default_system_prompt())
    }

    /// Returns whether the machine waits for this call.
    fn is_waiting_for(&self, call_id: &str) -> bool {
        self.current_call_id.as_deref() == Some(call_id)
    }
}

fn busy_error(call_id: String) -> Directive {
    let message = "the machine is busy with another question".to_owned();
    Directive::RequestError { call_id, reason: StartRefusal::Busy, message }
}

/// What a map has in another form.
impl Machine {
    /// Returns the result: the conclusion, the complete reply if that has none, or the message of the
    /// model's error. If the machine was restored from a map whose result is not a text, returns its JSON.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.as_ref().map(MachineResult::text)
    }

    /// Returns the usage of the call.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage.usage()
    }
}

#[cfg(test)]
mod tests;
