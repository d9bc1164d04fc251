//! Slots: the concurrent items of a group.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    protocol::{
        directive::{CallId, Directive},
        event::Event,
    },
    reply::menu::Interpretation,
    run::{
        attempts::ReplyCost,
        context::RunContext,
        phase::{
            question::{Lane, ModelQuestion},
            reply::{CallAnswer, ReplyOutcome},
        },
    },
    snapshot::data::PendingCall,
    values::outcome::{Attempt, HaltReason},
};

/// An item of a group, which waits for a call.
pub(crate) trait Slot: Sized {
    /// The type of the answer to the slot's call.
    type Answer;

    /// Creates the slot of an item and assigns a call to it.
    fn begin(item: usize, cx: &mut RunContext<'_>) -> Self;
    /// Returns the pending call.
    fn id(&self) -> CallId;
    /// Returns the number of the item.
    fn item(&self) -> usize;
    /// Prepares the call. Returns an error in words if that fails.
    fn prepare(&mut self, cx: &mut RunContext<'_>) -> Result<(), String>;
    /// Returns the directive of the call, once it is prepared. `run` is the elapsed time of the run.
    fn directive(&self, cx: &RunContext<'_>, run: Duration) -> Option<Directive>;
    /// Returns the mock answer, if there is one.
    fn mock_answer(&self) -> Option<Event>;
    /// Returns the answer that an event contains, and its duration.
    fn answer_from(
        &self,
        event: Event,
        run: Duration,
        cx: &RunContext<'_>,
    ) -> Option<(Self::Answer, Duration)>;
    /// Applies an answer.
    fn receive(
        &mut self,
        answer: (Self::Answer, Duration),
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> SlotOutcome;
    /// Takes the failed attempts.
    fn take_attempts(&mut self) -> Vec<Attempt>;
    /// Returns the question of the slot, if it asks a model.
    fn current_question(&self) -> Option<ModelQuestion>;
    /// Returns the slot as snapshot data.
    fn save(&self) -> PendingCall;
}

/// The result of an answer for its slot.
pub(crate) enum SlotOutcome {
    /// The item is done, with the usage and the duration of the accepted attempt.
    Done(Value, Usage, Duration),
    /// The slot waits for another call.
    Retrying,
    /// The item failed.
    Failed(HaltReason),
}

/// A slot that asks a model about one item.
impl Slot for ModelQuestion {
    type Answer = CallAnswer;

    fn begin(item: usize, cx: &mut RunContext<'_>) -> Self {
        let id = cx.facts.new_call();
        Self::new((id, Some(item)), cx.facts, cx.visit, cx.host)
    }

    fn id(&self) -> CallId {
        self.id
    }

    fn item(&self) -> usize {
        self.item.unwrap_or_default()
    }

    fn prepare(&mut self, cx: &mut RunContext<'_>) -> Result<(), String> {
        Self::prepare(self, cx)
    }

    fn directive(&self, cx: &RunContext<'_>, run: Duration) -> Option<Directive> {
        self.model_call(cx, run)
    }

    fn mock_answer(&self) -> Option<Event> {
        let (id, elapsed) = (self.id, Duration::ZERO);
        self.mock.clone().map(|mock| Event::Ran { id, result: Ok(mock), elapsed })
    }

    fn answer_from(
        &self,
        event: Event,
        run: Duration,
        cx: &RunContext<'_>,
    ) -> Option<(CallAnswer, Duration)> {
        Self::answer_from(self, event, run, cx)
    }

    fn receive(
        &mut self,
        answer: (CallAnswer, Duration),
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> SlotOutcome {
        match Self::receive(self, answer, lane, cx, accept_item) {
            ReplyOutcome::Accepted((value, usage, elapsed)) => {
                SlotOutcome::Done(value, usage, elapsed)
            }
            ReplyOutcome::Retrying => SlotOutcome::Retrying,
            ReplyOutcome::Failed(reason) => SlotOutcome::Failed(reason),
        }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.attempts.failed)
    }

    fn current_question(&self) -> Option<ModelQuestion> {
        Some(self.clone())
    }

    fn save(&self) -> PendingCall {
        Self::save(self)
    }
}

fn accept_item(
    question: &ModelQuestion,
    reply: ReplyCost<'_>,
    cx: &mut RunContext<'_>,
) -> Result<(Value, Usage, Duration), Issues> {
    match question.interpret(reply, cx)? {
        // A for-each task offers no transitions.
        Interpretation::Transition(_) => Err(Issues::at("$", "this task has no transitions")),
        Interpretation::Calls(_) => Err(Issues::at("$", "this task has no tools")),
        Interpretation::Output(given) => {
            let value = given.into_value();
            let scope = cx.facts.scope(cx.visit, question.item);
            cx.host.check_item(cx.visit.task, UntypedOutput::Value(value.clone()), &scope)?;
            Ok((value, reply.usage, reply.elapsed))
        }
    }
}
