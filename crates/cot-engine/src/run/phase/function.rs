//! The phase of a code task.

use std::time::Duration;

use cot_model::FunctionError;
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    process::child::DueDirectives,
    protocol::{directive::FunctionCall, event::Event, open_calls::OpenCalls},
    run::{
        attempts::{AttemptTarget, FailedAttempt, ReplyCost},
        context::{RunContext, RunView},
        end::{PhaseHandled, TaskEnd},
        once_calls::note_transaction,
        phase::{
            function_call::{CallPolicy, FunctionAnswer, FunctionAttempts},
            question::ModelQuestion,
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Failure, HaltReason},
};

/// Waits for a function, or for the pause before its retry.
#[derive(Debug)]
pub(crate) struct FunctionPhase {
    call: FunctionAttempts,
}

impl FunctionPhase {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        Self { call: FunctionAttempts::new(cx.facts.new_call(), None) }
    }

    pub(crate) const fn restore(call: FunctionAttempts) -> Self {
        Self { call }
    }

    /// Applies the answer to the call.
    fn apply(
        &mut self,
        answer: FunctionAnswer,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let (failure, reason, issues) = match answer {
            FunctionAnswer::Proceed => return None,
            FunctionAnswer::Returned(value) => match commit_result(value, elapsed, cx) {
                Ok(end) => {
                    note_transaction(cx.facts, cx.visit.task);
                    return Some(end);
                }
                Err(issues) => (Failure::Rejected, HaltReason::Exhausted, issues),
            },
            FunctionAnswer::Failed(failed) => failed.explain(cx),
        };
        cx.host.discard_output();
        let failed = FailedAttempt { failure, reply: ReplyCost::without_reply(elapsed), issues };
        let (policy, target) = (policy(cx), AttemptTarget::task(cx.visit.task));
        if self.call.retry(failed, target, &policy, cx.facts.elapsed, cx) {
            return None;
        }
        Some(TaskEnd::failed(reason, self.take_attempts()))
    }
}

/// Returns the policy of the task.
fn policy(cx: &RunContext<'_>) -> CallPolicy {
    CallPolicy::for_task(cx.facts.definition.task(cx.visit.task))
}

/// Commits the value that a function returned.
fn commit_result(
    value: Value,
    elapsed: Duration,
    cx: &mut RunContext<'_>,
) -> Result<TaskEnd, Issues> {
    if cx.host.has_output(cx.visit.task) {
        cx.read(UntypedOutput::Value(value))?;
        return cx.commit(cot_model::Usage::default(), elapsed);
    }
    Ok(TaskEnd::Done(cx.facts.route_from(cx.visit, None, cx.host)))
}

/// Returns the function of a task for an item, or a call that returns the mock answer.
pub(crate) fn function(item: Option<usize>, cx: &RunContext<'_>) -> FunctionCall {
    let task = cx.visit.task;
    match cx.mock(item) {
        Ok(Some(mock)) => FunctionCall::ready(Ok(mock)),
        Ok(None) => match cx.host.function(task, &cx.facts.scope(cx.visit, item)) {
            Some(function) => {
                let effect = cx.facts.definition.task(task).kind.effect();
                function.with_effect(effect)
            }
            None => FunctionCall::ready(Ok(Value::Null)),
        },
        Err(why) => FunctionCall::ready(Err(FunctionError::not_done(why))),
    }
}

impl TaskPhase for FunctionPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        let (policy, run) = (policy(cx), cx.facts.elapsed);
        due.push(self.call.directive(&policy, run, cx, |cx| function(None, cx)));
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let (policy, run) = (policy(cx), cx.facts.elapsed);
        let Some((answer, elapsed)) = self.call.answer(event, &policy, run, cx) else {
            return PhaseHandled::STALE;
        };
        cx.facts.add_time(elapsed);
        PhaseHandled::applied(self.apply(answer, elapsed, cx))
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        &self.call.id
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.call.attempts.failed)
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        Err("a function has no prompt".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let pending = self.call.save();
        let PendingCall { is_pausing, is_started, .. } = pending;
        let pending = PendingCall { is_pausing: false, is_started: false, ..pending };
        Ok(PositionData::Running { visit, pending, is_pausing, is_started })
    }
}
