//! A conversation: its trace, its model and what it has consumed.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelRequest, Usage};
use cot_task_format::{TodoItem, Trace};

use super::{core::Core, error::ToolChange};

/// A conversation with a model in the TASK format. A clone goes on by itself.
#[derive(Clone)]
pub struct Session {
    pub(super) core: Core,
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) primer: Option<String>,
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
    pub(super) usage: Usage,
}

impl Session {
    /// Takes the turn out of the trace that has no response yet, if there is one.
    pub fn abandon(&mut self) {
        self.core.abandon();
    }

    /// Whether the last turn has no response yet.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        !self.core.is_over()
    }

    /// The conversation so far: to write, to show as JSON, to [resume](super::SessionBuilder::resume) from.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.core.trace
    }

    /// The todo items so far, by number: of each number, the newest.
    #[must_use]
    pub fn todos(&self) -> Vec<TodoItem> {
        self.core.trace.todos()
    }

    /// How the tools differ from those of the trace that the session was resumed from; empty for a session
    /// that began here.
    #[must_use]
    pub fn tool_changes(&self) -> &[ToolChange] {
        &self.core.changes
    }

    /// What the calls of the model consumed. Of one that was dropped, nobody knows how much.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn request(&self, prompt: String) -> ModelRequest {
        let mut request = ModelRequest::new(prompt);
        request.system = self.primer.clone().map(Into::into);
        request.temperature = self.temperature;
        request.max_tokens = self.max_tokens;
        request
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("blocks", &self.core.trace.blocks.len())
            .field("tools", &self.core.tools)
            .field("is_unfinished", &self.is_unfinished())
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
