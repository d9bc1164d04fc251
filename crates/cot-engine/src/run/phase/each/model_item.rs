//! The slot of an item about which a model is asked.

use std::time::Duration;

use cot_schema::{Issues, internal::UntypedOutput};

use crate::{
    process::child::DueDirectives,
    protocol::{event::Event, open_calls::OpenCalls},
    reply::menu::Interpretation,
    run::{
        context::RunContext,
        limits::Lane,
        phase::{
            each::{
                lanes::LaneClock,
                slot::{DoneItem, Slot, SlotContext, SlotHandled, SlotState},
            },
            question::ModelQuestion,
            reply::{ReceivedReply, ReplyOutcome, Unaccepted},
        },
    },
    snapshot::{
        data::{PendingCall, SlotKind},
        error::SnapshotError,
    },
    values::outcome::{Attempt, HaltReason},
};

impl Slot for ModelQuestion {
    const KIND: SlotKind = SlotKind::Model;

    fn begin(item: usize, _: Lane, cx: &mut RunContext<'_>) -> Result<Self, HaltReason> {
        let id = cx.facts.new_call();
        Ok(Self::new((id, Some(item)), cx.view()))
    }

    fn restore(_: usize, data: PendingCall, cx: &SlotContext<'_>) -> Result<Self, SnapshotError> {
        Self::restore(cx.visit, data, cx.run)
    }

    fn save(&self) -> Result<PendingCall, SnapshotError> {
        Ok(Self::save(self))
    }

    fn advance(
        &mut self,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> SlotState {
        loop {
            if self.request.is_none()
                && let Err(why) = self.prepare(cx)
            {
                return SlotState::Halted(HaltReason::Template(why));
            }
            // Mock answers are applied one after the other.
            let Some(mock) = self.mock.clone() else { break };
            let event = Event::Ran { id: self.id, result: Ok(mock), elapsed: Duration::ZERO };
            match self.handle(event, clock, cx).state {
                SlotState::Waiting => {}
                state => return state,
            }
        }
        if due.selects(self.id)
            && let Some(directive) = self.model_call(cx, clock.elapsed())
        {
            due.push(directive);
        }
        SlotState::Waiting
    }

    fn handle(
        &mut self,
        event: Event,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotHandled {
        let Some((answer, elapsed)) = self.answer_from(event, clock.elapsed(), cx) else {
            return SlotHandled::STALE;
        };
        clock.add_time(elapsed, cx.facts);
        let received = self.receive((answer, elapsed), clock.lane(), cx, accept_item);
        SlotHandled::applied(match received {
            ReplyOutcome::Accepted(done) => SlotState::Done(done),
            ReplyOutcome::Retrying => SlotState::Waiting,
            ReplyOutcome::Failed(reason) => SlotState::Failed(reason),
        })
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.attempts.failed)
    }

    fn current_question(&self) -> Result<ModelQuestion, String> {
        Ok(self.clone())
    }
}

fn accept_item(
    question: &ModelQuestion,
    ReceivedReply { cost: reply, .. }: ReceivedReply<'_>,
    cx: &mut RunContext<'_>,
) -> Result<DoneItem, Unaccepted> {
    match question.interpret(reply, cx)? {
        // A for-each task offers no transitions.
        Interpretation::Transition(_) => {
            Err(Issues::at("$", "this task has no transitions").into())
        }
        Interpretation::Calls(_) => Err(Issues::at("$", "this task has no tools").into()),
        Interpretation::Output(given) => {
            let value = given.into_value();
            let scope = cx.facts.scope(cx.visit, question.item);
            cx.host.read_item(cx.visit.task, UntypedOutput::Value(value.clone()), &scope)?;
            Ok(DoneItem { value, usage: reply.usage, elapsed: reply.elapsed })
        }
    }
}
