//! What people are asked, and what they answer.
//!
//! The run that asks also judges, since the node that takes in an answer may have a newer version of the
//! process. Two promises go between them: the answer one way, the verdict back.

use cot_core::{Directive, Handled, Issues, Question, TaskId};
use restate_sdk::prelude::{
    ContextPromises, ContextReadState, ContextSideEffects, HandlerError, HandlerResult, Json,
    RunFuture, SharedWorkflowContext, TerminalError,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    perform,
    status::{STATUS, no_run},
    wire::{Answer, Answered, Status, Waiting},
};

/// Where the question of a run is kept while it is asked, among the state that Restate keeps for it.
pub(crate) const QUESTION: &str = "question";

/// What the promise of a question is resolved with; its name is the key of the call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) answer: Value,
    /// When it came, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) at: u64,
    /// The invocation that brought it: of two that come at once, one is the first.
    by: String,
}

/// What became of an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Accepted,
    Refused(Issues),
    /// The run had gone on before.
    TooLate,
}

impl Verdict {
    /// Name of the promise of the verdict on the answer to a question.
    pub(crate) fn promise(call: &str) -> String {
        format!("verdict on {call}")
    }

    pub(crate) fn of(handled: &Handled, is_answer: bool) -> Self {
        match handled {
            Handled::Refused(issues) => Self::Refused(issues.clone()),
            _ if is_answer => Self::Accepted,
            _ => Self::TooLate,
        }
    }
}

/// The question as people see it.
pub(crate) fn question<T: TaskId>(directive: &Directive<T>, asked: &Question) -> Waiting {
    Waiting {
        call: directive.key.to_string(),
        task: directive.task.name().to_owned(),
        text: asked.text.clone(),
        schema: asked.schema.json().clone(),
        issues: asked.issues.clone(),
        timeout: directive.timeout,
        since: perform::now(),
    }
}

/// Hands an answer to the run, and tells what became of it.
pub(crate) async fn answer(
    ctx: &SharedWorkflowContext<'_>,
    Answer { call, answer }: Answer,
) -> HandlerResult<Answered> {
    let question: Option<Json<Waiting>> = ctx.get(QUESTION).await?;
    let Some(Json(question)) = question else {
        let status: Option<Json<Status>> = ctx.get(STATUS).await?;
        let asks_nothing = || conflict("no question is asked now");
        return Err(status.map_or_else(|| no_run(ctx.key()), |_| asks_nothing()));
    };
    if call.is_some_and(|call| call != question.call) {
        return Err(conflict(format!("another question is asked now: `{}`", question.call)));
    }
    let by = ctx.invocation_id().to_owned();
    let at = ctx.run(|| async { Ok(Json(perform::now())) }).name("received").await?.into_inner();
    match hand_in(ctx, &question.call, Given { answer, at, by }).await? {
        Some(Verdict::Accepted) => Ok(Answered { accepted: true, issues: None }),
        Some(Verdict::Refused(issues)) => Ok(Answered { accepted: false, issues: Some(issues) }),
        Some(Verdict::TooLate) => Err(conflict("the run has gone on without an answer")),
        None => Err(conflict(format!("the question `{}` has been answered", question.call))),
    }
}

/// The verdict on an answer, if it was the first.
async fn hand_in(
    ctx: &SharedWorkflowContext<'_>,
    call: &str,
    given: Given,
) -> HandlerResult<Option<Verdict>> {
    let by = given.by.clone();
    ctx.resolve_promise(call, Json(given));
    let kept: Option<Json<Given>> = ctx.peek_promise(call).await?;
    if kept.is_none_or(|Json(kept)| kept.by != by) {
        return Ok(None);
    }
    verdict(ctx, &Verdict::promise(call)).await.map(Some)
}

async fn verdict<'a>(ctx: &'a SharedWorkflowContext<'a>, name: &'a str) -> HandlerResult<Verdict> {
    Ok(ctx.promise::<Json<Verdict>>(name).await?.into_inner())
}

fn conflict(message: impl Into<String>) -> HandlerError {
    TerminalError::new_with_code(409, message).into()
}
