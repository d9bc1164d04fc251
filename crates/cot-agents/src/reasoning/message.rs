//! The messages that a machine takes, and the directives that it returns.

use cot_model::{ModelError, ModelReply, ModelRequest, Role};
use serde::{Deserialize, Serialize};

/// The status of a machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waits for a question.
    #[default]
    Idle,
    /// Waits for the model's reply.
    Reasoning,
    /// The reply is complete. This status is final.
    Completed,
    /// The model failed. This status is final.
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

/// A message to a machine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// Starts a question.
    Start {
        /// The question.
        prompt: String,
        /// The id of the model call.
        call_id: String,
    },
    /// The model replied or failed.
    LlmResult {
        /// The id of the call.
        call_id: String,
        /// The complete reply or the error.
        result: Result<ModelReply, ModelError>,
    },
    /// A chunk of the reply arrived.
    LlmPartial {
        /// The id of the call.
        call_id: String,
        /// The text of the chunk.
        delta: String,
        /// The kind of the chunk. The machine stores only content.
        chunk_type: ChunkType,
    },
    /// The reply starts again; all previous chunks are void.
    LlmRestart {
        /// The id of the call.
        call_id: String,
    },
}

/// The kind of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChunkType {
    /// Text of the reply.
    Content,
    /// Text that the model thinks before it replies.
    Thinking,
    /// Anything else.
    Other,
}

/// Optional context of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// The system prompt of a question; [`default_system_prompt`](super::default_system_prompt) if `None`.
    pub system_prompt: Option<String>,
    /// The caller's time in milliseconds. The machine stores it when a question starts and does not
    /// interpret it.
    pub now: Option<i64>,
}

/// A directive of a machine to its caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Directive {
    /// Call the model, and send the result to the machine with the same id.
    CallLlmStream {
        /// The id of the call.
        call_id: String,
        /// The messages to send: a system message and the question.
        conversation: Vec<ChatMessage>,
    },
    /// Report to the sender that its message was rejected.
    RequestError {
        /// The id in the message.
        call_id: String,
        /// The reason.
        reason: StartRefusal,
        /// The reason as a text.
        message: String,
    },
}

/// Why a question was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StartRefusal {
    /// Another question is open.
    Busy,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChatMessage {
    /// The author: the system or the user.
    pub role: Role,
    /// The text.
    pub content: String,
}

impl Directive {
    /// Returns the call as a request to a [`LanguageModel`](cot_model::LanguageModel), or `None` if the
    /// directive calls no model.
    #[must_use]
    pub fn request(&self) -> Option<ModelRequest> {
        let Self::CallLlmStream { conversation, .. } = self else {
            return None;
        };
        let system = text_by_role(Role::System, conversation);
        Some(ModelRequest::new(text_by_role(Role::User, conversation)).with_system(system))
    }
}

fn text_by_role(role: Role, conversation: &[ChatMessage]) -> String {
    let messages = conversation.iter().filter(|message| message.role == role);
    messages.map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
}
