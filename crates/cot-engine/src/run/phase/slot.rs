//! A slot of a group: something that is waited for beside others.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::{Issues, internal::Given};
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
            ask::{Ask, Lane},
            reply::{CallAnswer, Received},
        },
    },
    snapshot::data::Asked,
    values::outcome::{Attempt, HaltReason},
};

/// Something that a group waits for.
pub(crate) trait Slot: Sized {
    /// The answer to the slot's call.
    type Answer;

    /// Creates the slot of an item, with a new call.
    fn begin(item: usize, cx: &mut RunContext<'_>) -> Self;
    /// Returns the call that is waited for.
    fn id(&self) -> CallId;
    /// Returns the item.
    fn item(&self) -> usize;
    /// Writes what is asked. Returns why it can't be written.
    fn prepare(&mut self, cx: &mut RunContext<'_>) -> Result<(), String>;
    /// Returns what the driver has to do, once it is written. `run` is the time of the run.
    fn directive(&self, cx: &RunContext<'_>, run: Duration) -> Option<Directive>;
    /// Returns the answer that stands for the real one, if there is one.
    fn synthetic_answer(&self) -> Option<Event>;
    /// Returns the answer that an event gives, and the time that it took.
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
    ) -> SlotEnd;
    /// Takes out the attempts that have failed.
    fn take_attempts(&mut self) -> Vec<Attempt>;
    /// Returns what a model is asked, if it is one.
    fn asked(&self) -> Option<Ask>;
    /// Returns the slot as data.
    fn save(&self) -> Asked;
}

/// What became of a slot by an answer.
pub(crate) enum SlotEnd {
    /// It has its value: what the accepted attempt consumed, and how long it took.
    Done(Value, Usage, Duration),
    /// It waits for another call.
    Again,
    /// It has failed.
    Failed(HaltReason),
}

/// A question about one item.
impl Slot for Ask {
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

    fn synthetic_answer(&self) -> Option<Event> {
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
    ) -> SlotEnd {
        match Self::receive(self, answer, lane, cx, accept_item) {
            Received::Accepted((value, usage, elapsed)) => SlotEnd::Done(value, usage, elapsed),
            Received::AskedAgain => SlotEnd::Again,
            Received::GivenUp(reason) => SlotEnd::Failed(reason),
        }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.attempts.failed)
    }

    fn asked(&self) -> Option<Ask> {
        Some(self.clone())
    }

    fn save(&self) -> Asked {
        Self::save(self)
    }
}

fn accept_item(
    ask: &Ask,
    reply: ReplyCost<'_>,
    cx: &mut RunContext<'_>,
) -> Result<(Value, Usage, Duration), Issues> {
    match ask.interpret(reply, cx)? {
        // The menu of a for-each task offers none.
        Interpretation::Transition(_) => Err(Issues::at("$", "this task has no transitions")),
        Interpretation::Output(given) => {
            let value = given.into_value();
            let scope = cx.facts.scope(cx.visit, ask.item);
            cx.host.check_item(cx.visit.task, Given::Value(value.clone()), &scope)?;
            Ok((value, reply.usage, reply.elapsed))
        }
    }
}
