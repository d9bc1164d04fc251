//! The second stage.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelReply, ModelRequest};

use super::{Llm, format::Formats, node::apply, prompt};
use crate::plan_execute::{action::Action, context::Context, node::Node};

/// The second stage: works through the todo list, one task per reply.
#[derive(Clone)]
pub struct Execute {
    /// The model.
    pub llm: Llm,
    /// The system message, with the placeholders `{question}`, `{context}`
    /// and, optionally, `{tools}`.
    pub system_prompt: String,
}

impl Execute {
    /// Creates the stage with the built-in prompt.
    #[must_use]
    pub fn new(llm: impl LanguageModel + 'static) -> Self {
        Self { llm: Arc::new(llm), system_prompt: prompt::execute() }
    }

    /// Replaces the prompt. The new prompt must explain the format of the reply.
    #[must_use]
    pub fn with_prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.system_prompt);
        self
    }
}

impl Node for Execute {
    fn llm(&self) -> &Llm {
        &self.llm
    }

    fn prep(&self, context: &Context) -> ModelRequest {
        let schema = &Formats::without_tools().execute;
        prompt::request(context, &self.system_prompt, &prompt::next_step(context), schema)
    }

    /// An unreadable reply ends the run, as does a *stop* without an answer.
    fn post(&self, context: &mut Context, reply: ModelReply) -> Action {
        apply(context, &reply, &self.system_prompt)
    }
}

impl fmt::Debug for Execute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execute")
            .field("system_prompt", &self.system_prompt)
            .finish_non_exhaustive()
    }
}
