//! What a model is asked and what it answers.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{PartName, PromptSegments, Segment, SegmentKind, Usage};

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The system message.
    pub system: Option<Cow<'static, str>>,
    /// The JSON schema that the reply has to fit, for engines that can constrain decoding.
    pub schema: Option<Arc<ReplySchema>>,
    /// Sampling temperature; `None` leaves it to the engine.
    pub temperature: Option<f64>,
    /// Most tokens the reply may have; `None` leaves it to the engine.
    pub max_tokens: Option<u32>,
    /// System message and prompt in segments, where somebody wants to know which text is fixed.
    pub segments: Option<Arc<PromptSegments>>,
    prompt: String,
    format_at: usize,
}

impl ModelRequest {
    /// A question that is just a prompt.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> Self {
        let prompt = prompt.into();
        let format_at = prompt.len();
        Self {
            system: None,
            schema: None,
            temperature: None,
            max_tokens: None,
            segments: None,
            prompt,
            format_at,
        }
    }

    /// Adds the part that explains the format of the reply, at the end of the prompt.
    #[must_use]
    pub fn with_format(mut self, format: &str) -> Self {
        self.prompt.push_str(format);
        if let Some(segments) = &mut self.segments {
            let text = format.to_owned();
            let segment = Segment { part: PartName::Output, kind: SegmentKind::Fixed, text };
            Arc::make_mut(segments).push(segment);
        }
        self
    }

    /// A question whose prompt explains the format of the reply from this byte on.
    pub(crate) fn assembled(prompt: String, format_at: usize) -> Self {
        Self { format_at: prompt.floor_char_boundary(format_at), ..Self::new(prompt) }
    }

    /// The whole prompt, with the explanation of the reply's format at its end.
    #[must_use]
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// The prompt for an engine that is held to [`schema`](Self::schema) while it decodes, and needs
    /// no explanation of the format.
    #[must_use]
    pub fn prompt_without_format(&self) -> &str {
        self.prompt[..self.format_at].trim_end()
    }
}

/// The JSON schema of one step's reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySchema {
    /// A name of letters, digits and underscores, as vendors demand.
    pub name: String,
    /// The schema.
    pub json: Value,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The text of the reply.
    pub text: String,
    /// Why the model stopped.
    pub finish: FinishReason,
    /// What the call consumed, as far as the engine says.
    pub usage: Usage,
}

impl ModelReply {
    /// A reply that came to its natural end, of unknown usage.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), finish: FinishReason::Stop, usage: Usage::of_call(0, 0) }
    }

    /// The same reply with another reason why the model stopped.
    #[must_use]
    pub fn with_finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// The same reply with its usage.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

impl From<&str> for ModelReply {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for ModelReply {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<Value> for ModelReply {
    fn from(json: Value) -> Self {
        Self::new(json.to_string())
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said everything.
    Stop,
    /// It ran into the limit of tokens: the reply is cut off.
    Length,
    /// It, or the service's filter, refused to answer.
    Refusal,
}
