//! A conversation: its trace, its model and its usage.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelRequest, Usage};
use cot_task_format::{TodoItem, Trace};

use super::{conversation::Conversation, error::ToolChange};

/// A conversation with a model in the TASK format. A clone is independent of the original.
#[derive(Clone)]
pub struct Session {
    pub(super) conversation: Conversation,
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) primer: Option<String>,
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
    pub(super) usage: Usage,
}

impl Session {
    /// Removes the last turn from the trace, if it has no response.
    pub fn abandon(&mut self) {
        self.conversation.abandon();
    }

    /// Returns whether the last turn has no response yet.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        !self.conversation.is_over()
    }

    /// Returns the conversation so far. The trace can be stored and
    /// [resumed](super::SessionBuilder::resume).
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.conversation.trace
    }

    /// Returns the todo items; for each number, the latest item.
    #[must_use]
    pub fn todos(&self) -> Vec<TodoItem> {
        self.conversation.trace.todos()
    }

    /// Returns how the tools differ from those of the trace that the session was resumed from. Empty for a
    /// new session.
    #[must_use]
    pub fn tool_changes(&self) -> &[ToolChange] {
        &self.conversation.changes
    }

    /// Returns the usage of all model calls. The usage of a cancelled call is unknown and counts as zero
    /// tokens.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn request(&self, prompt: String) -> ModelRequest {
        let mut request = ModelRequest::new(prompt);
        if let Some(primer) = &self.primer {
            request = request.with_system(primer.clone());
        }
        request.settings.temperature = self.temperature;
        request.settings.max_tokens = self.max_tokens;
        request
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("blocks", &self.conversation.trace.blocks.len())
            .field("tools", &self.conversation.tools)
            .field("is_unfinished", &self.is_unfinished())
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
