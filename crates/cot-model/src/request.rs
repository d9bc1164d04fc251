//! The request to a model.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use crate::{
    part::PartName,
    segments::{PromptSegments, Segment, SegmentKind},
};

/// A request to a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The system message.
    pub system: Option<Cow<'static, str>>,
    /// The JSON schema of the reply, for engines that support constrained decoding.
    pub schema: Option<Arc<ReplySchema>>,
    /// The sampling temperature. `None` means the default of the engine.
    pub temperature: Option<f64>,
    /// The maximum number of tokens of the reply. `None` means the default of the engine.
    pub max_tokens: Option<u32>,
    /// The system message and prompt as segments, if the runner records which text is fixed.
    pub segments: Option<Arc<PromptSegments>>,
    prompt: String,
    format_at: usize,
}

impl ModelRequest {
    /// Creates a request with a prompt only.
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

    /// Appends the explanation of the reply format to the prompt.
    #[must_use]
    pub fn append_format(mut self, format: &str) -> Self {
        self.prompt.push_str(format);
        if let Some(segments) = &mut self.segments {
            let text = format.to_owned();
            let segment = Segment { part: PartName::Output, kind: SegmentKind::Fixed, text };
            Arc::make_mut(segments).push(segment);
        }
        self
    }

    /// Creates a request from a prompt in which the explanation of the reply format begins at byte
    /// `format_at`.
    #[doc(hidden)]
    #[must_use]
    pub fn from_assembled(prompt: String, format_at: usize) -> Self {
        Self { format_at: prompt.floor_char_boundary(format_at), ..Self::new(prompt) }
    }

    /// Returns the prompt, including the explanation of the reply format at its end.
    #[must_use]
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// Returns the prompt without the explanation of the reply format, for engines that constrain decoding
    /// to [`schema`](Self::schema).
    #[must_use]
    pub fn prompt_without_format(&self) -> &str {
        self.prompt[..self.format_at].trim_end()
    }
}

/// The JSON schema of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySchema {
    /// The name of the schema, of letters, digits and underscores, as required by vendors.
    pub name: String,
    /// The schema.
    pub json: Value,
}
