//! The two stages, and their common trait.

use std::{fmt, sync::Arc};

use cot_model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest, ReplySchema};

use super::{format::Formats, prompt};
use crate::plan_execute::{action::Action, context::Context, reply::StageReply};

/// The model of a stage.
pub type Llm = Arc<dyn LanguageModel>;

/// A stage: prepares a request from the context, sends it to a model, and applies the reply to the context.
pub trait Node: Send + Sync {
    /// Returns the model.
    fn llm(&self) -> &Llm;

    /// Creates the request.
    fn prep(&self, context: &Context) -> ModelRequest;

    /// Sends the request to the model.
    fn exec<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.llm().reply(request)
    }

    /// Applies the reply to the context and returns the action that it requests.
    fn post(&self, context: &mut Context, reply: ModelReply) -> Action;

    /// Runs `prep`, `exec` and `post`. If the model fails, the context is not changed.
    fn run<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Result<Action, ModelError>> {
        Box::pin(async move {
            let request = self.prep(context);
            let reply = self.exec(&request).await?;
            Ok(self.post(context, reply))
        })
    }
}

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
pub type Plan = Stage<true>;

/// The second stage: works through the todo list, one task per reply.
pub type Execute = Stage<false>;

/// A stage: the one that plans, or the one that works.
#[derive(Clone)]
pub struct Stage<const PLANS: bool> {
    /// The model.
    pub llm: Llm,
    /// The system message, with the placeholders `{question}`, `{context}` and `{tools}`. A prompt needs `{question}`,
    /// and that of the second stage `{context}` too.
    pub system_prompt: String,
}

impl<const PLANS: bool> Stage<PLANS> {
    /// Creates the stage with the built-in prompt.
    #[must_use]
    pub fn new(llm: impl LanguageModel + 'static) -> Self {
        let system_prompt = if PLANS { prompt::plan() } else { prompt::execute() };
        Self { llm: Arc::new(llm), system_prompt }
    }

    /// Replaces the prompt. The new prompt must explain the format of the reply.
    #[must_use]
    pub fn with_prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.system_prompt);
        self
    }
}

impl<const PLANS: bool> Node for Stage<PLANS> {
    fn llm(&self) -> &Llm {
        &self.llm
    }

    fn prep(&self, context: &Context) -> ModelRequest {
        let (question, progress) = (&context.question, context.progress());
        let system = prompt::system(&self.system_prompt, question, &progress, ["", ""]);
        let mut request = ModelRequest::new(message(PLANS, context)).with_system(system);
        request.schema = Some(schema(PLANS, Formats::without_tools()));
        request
    }

    /// An unreadable reply ends the run, as does a *stop* without an answer.
    fn post(&self, context: &mut Context, reply: ModelReply) -> Action {
        context.usage += reply.usage;
        match StageReply::from_reply(&reply, None, &self.system_prompt) {
            Ok(step) => context.take(&step),
            Err(ending) => context.end(ending),
        }
        context.action.clone().unwrap_or(Action::Stop)
    }
}

impl<const PLANS: bool> fmt::Debug for Stage<PLANS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if PLANS { "Plan" } else { "Execute" };
        f.debug_struct(name).field("system_prompt", &self.system_prompt).finish_non_exhaustive()
    }
}

/// Returns the user message of a stage.
pub(super) fn message(plans: bool, context: &Context) -> String {
    if plans { context.question.clone() } else { prompt::next_step(context) }
}

/// Returns the schema of the replies of a stage.
pub(super) fn schema(plans: bool, formats: &Formats) -> Arc<ReplySchema> {
    Arc::clone(if plans { &formats.plan } else { &formats.execute })
}
