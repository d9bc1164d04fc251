//! The messages of a request, and their parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    media::{document::Document, image::Image},
    part::PartName,
    segments::Stability,
    tool::call::{ToolCall, ToolResult},
};

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions that apply to the whole conversation.
    System,
    /// The user, or the process on its behalf.
    User,
    /// The model.
    Assistant,
    /// The tools that the message before it calls.
    Tool,
}

/// A message of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'a> {
    /// The author.
    pub role: Role,
    /// The parts in order. There is at least one.
    pub parts: Vec<MessagePart<'a>>,
}

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MessagePart<'a> {
    /// Text.
    Text {
        /// The text. It is never empty.
        text: &'a str,
        /// The part of the prompt that contains the text.
        part: PartName,
        /// How stable the text is.
        stability: Stability,
    },
    /// An image.
    Image {
        /// The image.
        image: &'a Image,
        /// How stable the image is.
        stability: Stability,
    },
    /// A document.
    Document {
        /// The document.
        document: &'a Document,
        /// How stable the document is.
        stability: Stability,
    },
    /// A call of a tool, in a message of the model.
    ToolCall {
        /// The call.
        call: &'a ToolCall,
        /// The number of the call in the request, from 1. It identifies a call that has no id, or that of
        /// another call.
        number: usize,
    },
    /// The result of a call, in the message after the call. The message has the results of all calls in order.
    ToolResult {
        /// The call.
        call: &'a ToolCall,
        /// The number of the call in the request, from 1.
        number: usize,
        /// The result.
        result: &'a ToolResult,
    },
}

/// A message of an earlier conversation: what a user wrote, or what the model replied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The author: the user or the model.
    pub role: TurnRole,
    /// The text.
    pub text: String,
}

/// The author of a [`Turn`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnRole {
    /// The user.
    User,
    /// The model.
    Assistant,
}

impl Turn {
    /// Creates a message of the user.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: TurnRole::User, text: text.into() }
    }

    /// Creates a message of the model.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: TurnRole::Assistant, text: text.into() }
    }
}

impl MessagePart<'_> {
    /// Returns how stable the part is. Calls and their results are [growing](Stability::Growing).
    #[must_use]
    pub const fn stability(&self) -> Stability {
        match self {
            Self::Text { stability, .. }
            | Self::Image { stability, .. }
            | Self::Document { stability, .. } => *stability,
            Self::ToolCall { .. } | Self::ToolResult { .. } => Stability::Growing,
        }
    }
}

impl Role {
    /// Returns the name of the role, such as `user`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Turn {
    /// Formats the author and the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Role::from(self.role), self.text)
    }
}

impl From<TurnRole> for Role {
    fn from(role: TurnRole) -> Self {
        match role {
            TurnRole::User => Self::User,
            TurnRole::Assistant => Self::Assistant,
        }
    }
}
