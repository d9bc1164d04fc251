//! What the machine is told, and what it asks for.

use cot_model::{ModelError, ModelReply, ModelRequest};
use serde::{Deserialize, Serialize};

/// Where a machine stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for a question.
    #[default]
    Idle,
    /// It waits for the model's reply.
    Reasoning,
    /// The reply is there: nothing changes any more.
    Completed,
    /// The model failed: nothing changes any more.
    Error,
}

/// Why a machine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminationReason {
    /// The model replied.
    Success,
    /// The model failed.
    Error,
}

/// What a machine is told.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// Begin to reason.
    Start {
        /// The question.
        prompt: String,
        /// The id that the call shall have.
        call_id: String,
    },
    /// The model replied, or failed.
    LlmResult {
        /// The call that this is the end of.
        call_id: String,
        /// The whole reply, or why there is none.
        result: Result<ModelReply, ModelError>,
    },
    /// A piece of the reply came in.
    LlmPartial {
        /// The call that it is a piece of.
        call_id: String,
        /// The piece.
        delta: String,
        /// What it is a piece of; the machine keeps content alone.
        chunk_type: ChunkType,
    },
    /// The reply begins again: the pieces so far are void.
    LlmRestart {
        /// The call that begins again.
        call_id: String,
    },
}

/// What a piece of a reply is a piece of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChunkType {
    /// The text of the reply.
    Content,
    /// What a model thinks before it replies.
    Thinking,
    /// Anything else.
    Other,
}

/// What a machine may know beside a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// The system message of a question; [`default_system_prompt`](super::default_system_prompt)
    /// without one.
    pub system_prompt: Option<String>,
    /// What the caller's clock says, in milliseconds; kept when a question starts, and used for nothing.
    pub now: Option<i64>,
}

/// What a machine wants to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Directive {
    /// Ask the model, and say with the same id what comes of it.
    CallLlmStream {
        /// The id of the call.
        call_id: String,
        /// What to ask: a system message and the question.
        conversation: Vec<ChatMessage>,
    },
    /// Tell whoever sent the message that nothing was done.
    RequestError {
        /// The id that the message had.
        call_id: String,
        /// Why nothing was done.
        reason: StartRefusal,
        /// The same in words.
        message: String,
    },
}

/// Why a question was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StartRefusal {
    /// The machine is at another one.
    Busy,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: Role,
    /// What it says.
    pub content: String,
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The program, about how to answer.
    System,
    /// The one who asks.
    User,
}

impl Directive {
    /// The call as a request to a [`LanguageModel`](cot_model::LanguageModel); `None` where nothing is asked.
    #[must_use]
    pub fn request(&self) -> Option<ModelRequest> {
        let Self::CallLlmStream { conversation, .. } = self else {
            return None;
        };
        let mut request = ModelRequest::new(said_by(Role::User, conversation));
        let system = said_by(Role::System, conversation);
        request.system = (!system.is_empty()).then(|| system.into());
        Some(request)
    }
}

fn said_by(role: Role, conversation: &[ChatMessage]) -> String {
    let messages = conversation.iter().filter(|message| message.role == role);
    messages.map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
}
