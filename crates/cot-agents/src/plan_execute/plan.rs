//! The first stage.

use std::{fmt, sync::Arc};

use cot_model::{LanguageModel, ModelReply, ModelRequest};

use super::{Llm, format::Formats, node::apply, prompt};
use crate::plan_execute::{action::Action, context::Context, node::Node};

/// The first stage: breaks a question into a todo list.
///
/// ```
/// use cot_core::{
///     model::{ModelReply, ScriptedModel},
///     plan_execute::{Action, Context, Node, Plan},
/// };
///
/// let plan = Plan::new(ScriptedModel::new([""; 0])).with_prompt("Plan this: {question}");
/// let mut context = Context::new("Why is the sky blue?");
/// let request = plan.prep(&context);
/// assert_eq!(request.system(), Some("Plan this: Why is the sky blue?"));
///
/// let reply = r#"{ "todos": "- [ ] look it up", "action": "continue" }"#;
/// assert_eq!(plan.post(&mut context, ModelReply::new(reply)), Action::Continue);
/// assert_eq!(context.todos.items[0].text, "look it up");
/// ```
#[derive(Clone)]
pub struct Plan {
    /// The model.
    pub llm: Llm,
    /// The system message, with the placeholders `{question}` and, optionally, `{context}` and `{tools}`.
    pub system_prompt: String,
}

impl Plan {
    /// Creates the stage with the built-in prompt.
    #[must_use]
    pub fn new(llm: impl LanguageModel + 'static) -> Self {
        Self { llm: Arc::new(llm), system_prompt: prompt::plan() }
    }

    /// Replaces the prompt. The new prompt must explain the format of the reply.
    #[must_use]
    pub fn with_prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.system_prompt);
        self
    }
}

impl Node for Plan {
    fn llm(&self) -> &Llm {
        &self.llm
    }

    fn prep(&self, context: &Context) -> ModelRequest {
        let schema = &Formats::without_tools().plan;
        prompt::request(context, &self.system_prompt, &context.question, schema)
    }

    /// An unreadable reply ends the run, as does a *stop* without an answer.
    fn post(&self, context: &mut Context, reply: ModelReply) -> Action {
        apply(context, &reply, &self.system_prompt)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("system_prompt", &self.system_prompt).finish_non_exhaustive()
    }
}
