//! The common trait of the two stages.

use cot_model::{BoxFuture, FinishReason, ModelError, ModelReply, ModelRequest};

use super::Llm;
use crate::plan_execute::{
    action::Action,
    context::{Context, Ending},
    reply::ExecuteReply,
};

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

/// Applies the reply of a stage that is used without a run, and returns the action that it requests.
pub(super) fn apply(context: &mut Context, reply: &ModelReply, template: &str) -> Action {
    context.usage += reply.usage;
    match read(reply, None, template) {
        Ok(step) => {
            if let Err(issues) = context.apply(step) {
                context.end(Ending::Unreadable(issues));
            }
        }
        Err(ending) => context.end(ending),
    }
    context.action.clone().unwrap_or(Action::Stop)
}

/// Parses the reply of either stage, or returns why it ends the run. `template` is the prompt of the stage.
pub(super) fn read(
    reply: &ModelReply,
    tools: Option<&[String]>,
    template: &str,
) -> Result<ExecuteReply, Ending> {
    match reply.finish {
        FinishReason::Stop => ExecuteReply::read_with(&reply.text, tools)
            .and_then(|read| read.without_placeholders(template))
            .map_err(Ending::Unreadable),
        // A truncated reply may have lost the end of the answer.
        FinishReason::Length => {
            ExecuteReply::read_complete(&reply.text, tools).ok_or(Ending::Truncated)
        }
        FinishReason::Refusal => Err(Ending::Refused),
    }
}
