//! What a model is asked.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use crate::{
    part::PartName,
    segments::{PromptSegments, Segment, SegmentKind},
};

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
    #[doc(hidden)]
    #[must_use]
    pub fn assembled(prompt: String, format_at: usize) -> Self {
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
