//! Answers to what a run waits for.

use std::{sync::Arc, time::Duration};

use cot_engine::{Event, EventOutcome, FunctionError};
use cot_model::{ModelError, ModelErrorKind, ModelReply, ModelRequest};
use serde_json::Value;

use super::{
    call::Call,
    run::{Run, SECOND},
};

impl Run {
    /// Answers the model call that the run waits for, and returns its request.
    pub(crate) fn reply(&mut self, reply: impl Into<ModelReply>) -> Arc<ModelRequest> {
        let call = self.only();
        assert_eq!(self.reply_to(&call, reply), EventOutcome::Applied);
        Arc::clone(call.request())
    }

    pub(crate) fn reply_to(&mut self, call: &Call, reply: impl Into<ModelReply>) -> EventOutcome {
        call.request();
        self.handle(Event::Replied { id: call.id, reply: reply.into(), elapsed: SECOND })
    }

    /// Lets the model call fail.
    pub(crate) fn fail(&mut self, kind: ModelErrorKind) -> EventOutcome {
        let call = self.only();
        self.fail_call(&call, ModelError::new(kind, "no line"))
    }

    pub(crate) fn fail_call(&mut self, call: &Call, error: ModelError) -> EventOutcome {
        call.request();
        self.handle(Event::Failed { id: call.id, error, elapsed: SECOND })
    }

    /// Runs the function that the run waits for.
    pub(crate) fn run_function(&mut self) -> EventOutcome {
        let result = self.only().result();
        self.finish_function(result)
    }

    /// Finishes the function that the run waits for with this result.
    pub(crate) fn finish_function(&mut self, result: Result<Value, FunctionError>) -> EventOutcome {
        let call = self.only();
        self.finish(&call, result)
    }

    pub(crate) fn finish(
        &mut self,
        call: &Call,
        result: Result<Value, FunctionError>,
    ) -> EventOutcome {
        call.function();
        self.handle(Event::Ran { id: call.id, result, elapsed: SECOND })
    }

    /// Lets the function fail.
    pub(crate) fn fail_function(&mut self, why: &str) -> EventOutcome {
        self.finish_function(Err(FunctionError::new(why.to_owned())))
    }

    /// Answers the question that the run waits for.
    pub(crate) fn answer(&mut self, answer: Value) -> EventOutcome {
        self.answer_after(answer, Duration::ZERO)
    }

    pub(crate) fn answer_after(&mut self, answer: Value, elapsed: Duration) -> EventOutcome {
        let call = self.only();
        call.question();
        self.handle(Event::Answered { id: call.id, answer, elapsed })
    }

    /// Ends the timer that the run waits for.
    pub(crate) fn wake(&mut self) -> EventOutcome {
        let timer = self.only();
        assert!(timer.is_sleep(), "expected a timer: {timer:?}");
        self.handle(Event::Woken { id: timer.id })
    }

    /// Lets the time limit of the first directive pass.
    pub(crate) fn time_out(&mut self, elapsed: Duration) -> EventOutcome {
        let id = self.directives()[0].id;
        self.handle(Event::TimedOut { id, elapsed })
    }

    pub(crate) fn cancel(&mut self, reason: &str) -> EventOutcome {
        self.handle(Event::Cancelled { reason: reason.to_owned(), calls: 0 })
    }

    pub(crate) fn handle(&mut self, event: Event) -> EventOutcome {
        self.driver.handle(event)
    }

    /// Answers the call for an item.
    pub(crate) fn reply_item(&mut self, item: usize, reply: impl Into<ModelReply>) -> EventOutcome {
        let call = self.item(item);
        self.reply_to(&call, reply)
    }

    /// The directive for an item.
    pub(crate) fn item(&mut self, item: usize) -> Call {
        let calls = self.directives();
        let call = calls.iter().find(|call| call.key.item() == Some(item));
        call.unwrap_or_else(|| panic!("nothing waits for item {item}: {calls:?}")).clone()
    }
}
