//! Drafts: replies that are still being received.

use cot_engine::CallKey;
use serde::{Deserialize, Serialize};

/// The beginning of a reply that a model is writing, for displays: see
/// [`Store::put_draft`](crate::Store::put_draft).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Draft {
    /// The key of the call.
    pub key: CallKey,
    /// The text so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The thoughts so far, of a reasoning model.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thought: String,
}

impl Draft {
    /// Creates the draft of a call.
    #[must_use]
    pub fn new(key: CallKey, text: impl Into<String>, thought: impl Into<String>) -> Self {
        Self { key, text: text.into(), thought: thought.into() }
    }

    /// Returns whether the draft has neither a text nor thoughts. Storing such a draft removes that of its
    /// call.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty() && self.thought.is_empty()
    }
}
