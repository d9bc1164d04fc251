//! What the two stages have in common.

use cot_model::{BoxFuture, FinishReason, ModelError, ModelReply, ModelRequest};

use super::Llm;
use crate::plan_execute::{
    action::Action,
    context::{Context, Ending},
    reply::ExecuteReply,
};

/// A stage: it prepares a question from the context, has a model answer it, and takes the answer up.
pub trait Node: Send + Sync {
    /// The model that is asked.
    fn llm(&self) -> &Llm;

    /// What to ask.
    fn prep(&self, context: &Context) -> ModelRequest;

    /// Asks the model.
    fn exec<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        self.llm().reply(request)
    }

    /// Takes the answer up into the context, and gives what it wants to happen next.
    fn post(&self, context: &mut Context, reply: ModelReply) -> Action;

    /// The three in a row. A model that fails leaves the context as it is.
    fn run<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Result<Action, ModelError>> {
        Box::pin(async move {
            let request = self.prep(context);
            let reply = self.exec(&request).await?;
            Ok(self.post(context, reply))
        })
    }
}

/// What a reply of either stage says, given these tools, or why it stops the run.
pub(super) fn read(reply: &ModelReply, tools: Option<&[String]>) -> Result<ExecuteReply, Ending> {
    match reply.finish {
        FinishReason::Stop => {
            ExecuteReply::read_with(&reply.text, tools).map_err(Ending::Unreadable)
        }
        // What was cut off may lack the end of the answer.
        FinishReason::Length => {
            ExecuteReply::read_whole(&reply.text, tools).ok_or(Ending::Truncated)
        }
        FinishReason::Refusal => Err(Ending::Refused),
    }
}
