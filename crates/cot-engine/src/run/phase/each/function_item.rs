//! The slot of an item for which a function runs.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::internal::UntypedOutput;

use crate::{
    process::child::DueDirectives,
    protocol::{event::Event, open_calls::OpenCalls},
    run::{
        attempts::{AttemptTarget, FailedAttempt, ReplyCost},
        context::RunContext,
        limits::Lane,
        once_calls::note_transaction,
        phase::{
            each::{
                lanes::LaneClock,
                slot::{DoneItem, Slot, SlotContext, SlotHandled, SlotState},
            },
            function::function,
            function_call::{CallPolicy, FunctionAnswer, FunctionAttempts},
            question::ModelQuestion,
        },
    },
    snapshot::{
        data::{PendingCall, SlotKind},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Failure, HaltReason},
};

/// Waits for the function of an item, or for the pause before its retry.
#[derive(Debug)]
pub(crate) struct FunctionItem {
    item: usize,
    call: FunctionAttempts,
}

impl FunctionItem {
    fn apply(
        &mut self,
        answer: FunctionAnswer,
        elapsed: Duration,
        clock: &LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotState {
        let (task, item) = (cx.visit.task, Some(self.item));
        let (failure, reason, issues) = match answer {
            FunctionAnswer::Proceed => return SlotState::Waiting,
            FunctionAnswer::Returned(value) => {
                let scope = cx.facts.scope(cx.visit, item);
                match cx.host.read_item(task, UntypedOutput::Value(value.clone()), &scope) {
                    Ok(()) => {
                        note_transaction(cx.facts, task);
                        let usage = Usage::default();
                        return SlotState::Done(DoneItem { value, usage, elapsed });
                    }
                    Err(issues) => (Failure::Rejected, HaltReason::Exhausted, issues),
                }
            }
            FunctionAnswer::Failed(failed) => failed.explain(cx),
        };
        let failed = FailedAttempt { failure, reply: ReplyCost::without_reply(elapsed), issues };
        let target = AttemptTarget { task, item, engine: None };
        let retried = self.call.retry(failed, target, &policy(cx), clock.elapsed(), cx);
        if retried { SlotState::Waiting } else { SlotState::Failed(reason) }
    }
}

fn policy(cx: &RunContext<'_>) -> CallPolicy {
    CallPolicy::for_task(cx.facts.definition.task(cx.visit.task))
}

impl Slot for FunctionItem {
    const KIND: SlotKind = SlotKind::Function;

    fn begin(item: usize, _: Lane, cx: &mut RunContext<'_>) -> Result<Self, HaltReason> {
        Ok(Self { item, call: FunctionAttempts::new(cx.facts.new_call(), Some(item)) })
    }

    fn restore(
        item: usize,
        data: PendingCall,
        cx: &SlotContext<'_>,
    ) -> Result<Self, SnapshotError> {
        cx.run.check_call_id(data.call)?;
        Ok(Self { item, call: FunctionAttempts::restore(data) })
    }

    fn save(&self) -> Result<PendingCall, SnapshotError> {
        Ok(self.call.save())
    }

    fn advance(
        &mut self,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> SlotState {
        // The call copies what its function can reach, so it is created when the driver asks for it.
        if due.selects(self.call.id) {
            let item = Some(self.item);
            let (policy, run) = (policy(cx), clock.elapsed());
            due.push(self.call.directive(&policy, run, cx, |cx| function(item, cx)));
        }
        SlotState::Waiting
    }

    fn handle(
        &mut self,
        event: Event,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotHandled {
        let answer = self.call.answer(event, &policy(cx), clock.elapsed(), cx);
        let Some((answer, elapsed)) = answer else {
            return SlotHandled::STALE;
        };
        clock.add_time(elapsed, cx.facts);
        SlotHandled::applied(self.apply(answer, elapsed, clock, cx))
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        &self.call.id
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.call.attempts.failed)
    }

    fn current_question(&self) -> Result<ModelQuestion, String> {
        Err("a function has no prompt".to_owned())
    }
}
