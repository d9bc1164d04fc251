//! Questions to people and their answers.
//!
//! The run validates answers, since the node that receives an answer may have a newer version of the
//! process. Two promises connect them: one for the answer, one for the verdict.

use cot_core::{Directive, EventOutcome, Issues, Question, TaskId};
use restate_sdk::prelude::{
    ContextPromises, ContextReadState, ContextSideEffects, HandlerError, HandlerResult, Json,
    RunFuture, SharedWorkflowContext, TerminalError,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    perform,
    status::{STATUS, no_run},
    wire::{Answer, AnswerOutcome, PendingQuestion, Status},
};

/// The key of the current question in Restate's state of the run.
pub(crate) const QUESTION: &str = "question";

/// The value of the promise of a question. The promise is named after the call key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SubmittedAnswer {
    pub(crate) answer: Value,
    /// The time of receipt, in milliseconds since 1970.
    #[serde(default)]
    pub(crate) at: u64,
    /// The invocation that submitted it. Tells which of two concurrent answers was first.
    by: String,
}

/// The run's decision on an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Accepted,
    Refused(Issues),
    /// The run had continued before.
    TooLate,
}

impl Verdict {
    /// Returns the name of the promise of the verdict on a call's answer.
    pub(crate) fn promise(call: &str) -> String {
        format!("verdict on {call}")
    }

    pub(crate) fn from_handled(handled: &EventOutcome, is_answer: bool) -> Self {
        match handled {
            EventOutcome::Refused(issues) => Self::Refused(issues.clone()),
            _ if is_answer => Self::Accepted,
            _ => Self::TooLate,
        }
    }
}

/// Creates the question in the form that people see.
pub(crate) fn question<T: TaskId>(directive: &Directive<T>, asked: &Question) -> PendingQuestion {
    PendingQuestion {
        call: directive.key.to_string(),
        task: directive.task.name().to_owned(),
        text: asked.text.clone(),
        schema: asked.schema.json().clone(),
        issues: asked.issues.clone(),
        timeout: directive.timeout,
        since: perform::now(),
    }
}

/// Submits an answer to the run and returns the outcome.
pub(crate) async fn answer(
    ctx: &SharedWorkflowContext<'_>,
    Answer { call, answer }: Answer,
) -> HandlerResult<AnswerOutcome> {
    let question: Option<Json<PendingQuestion>> = ctx.get(QUESTION).await?;
    let Some(Json(question)) = question else {
        let status: Option<Json<Status>> = ctx.get(STATUS).await?;
        let asks_nothing = || conflict("the run has no question now");
        return Err(status.map_or_else(|| no_run(ctx.key()), |_| asks_nothing()));
    };
    if call.is_some_and(|call| call != question.call) {
        return Err(conflict(format!("the run has another question now: `{}`", question.call)));
    }
    let by = ctx.invocation_id().to_owned();
    let at = ctx.run(|| async { Ok(Json(perform::now())) }).name("received").await?.into_inner();
    match submit(ctx, &question.call, SubmittedAnswer { answer, at, by }).await? {
        Some(Verdict::Accepted) => Ok(AnswerOutcome { accepted: true, issues: None }),
        Some(Verdict::Refused(issues)) => {
            Ok(AnswerOutcome { accepted: false, issues: Some(issues) })
        }
        Some(Verdict::TooLate) => Err(conflict("the run has continued without an answer")),
        None => Err(conflict(format!("the question `{}` has been answered", question.call))),
    }
}

/// Submits an answer. Returns the verdict if it was the first.
async fn submit(
    ctx: &SharedWorkflowContext<'_>,
    call: &str,
    given: SubmittedAnswer,
) -> HandlerResult<Option<Verdict>> {
    let by = given.by.clone();
    ctx.resolve_promise(call, Json(given));
    let kept: Option<Json<SubmittedAnswer>> = ctx.peek_promise(call).await?;
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
