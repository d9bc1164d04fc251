//! A question that is being answered.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use cot_model::ModelError;
use futures_core::Stream;
use futures_util::StreamExt;

use crate::{
    heard::{Heard, HeardCall},
    reasoning::{
        machine::Machine,
        message::{ChunkType, Message, Status},
    },
};

/// What happens while a question is answered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReasoningEvent {
    /// The model is asked.
    Started {
        /// The id of the call.
        call_id: String,
    },
    /// The next piece of the reply came in; models that can't stream give none.
    Delta(String),
    /// The reply begins again: the pieces so far are void.
    Restarted,
    /// The whole reply is there, or the model failed: the [`Machine`] says what came of it.
    Finished(Status),
}

/// A question that is being answered: the stream of what happens. Dropping it drops the call.
pub struct ActiveReasoning {
    machine: Machine,
    call: Option<Call>,
    events: VecDeque<ReasoningEvent>,
}

/// A call of a model, and its id.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) heard: HeardCall,
}

impl ActiveReasoning {
    pub(super) fn new(machine: Machine, call: Option<Call>) -> Self {
        let started = call.iter().map(|call| ReasoningEvent::Started { call_id: call.id.clone() });
        Self { machine, events: started.collect(), call }
    }

    /// The machine as it stands now.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine as it stands now; a call in flight is dropped.
    #[must_use]
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    /// Waits for the end, and gives the machine as it is then.
    ///
    /// # Errors
    ///
    /// What the model failed of.
    pub async fn finish(mut self) -> Result<Machine, ModelError> {
        while self.next().await.is_some() {}
        match self.machine.error() {
            Some(error) => Err(error.clone()),
            None => Ok(self.machine),
        }
    }

    /// Goes on with the call until something has happened.
    fn poll_call(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(call) = &mut self.call else {
            return Poll::Ready(());
        };
        let Poll::Ready(heard) = call.heard.poll_heard(cx) else {
            return Poll::Pending;
        };
        let call_id = call.id.clone();
        let (message, event) = match heard {
            Heard::Text(delta) => {
                let event = ReasoningEvent::Delta(delta.clone());
                let chunk_type = ChunkType::Content;
                (Message::LlmPartial { call_id, delta, chunk_type }, Some(event))
            }
            Heard::Restart => (Message::LlmRestart { call_id }, Some(ReasoningEvent::Restarted)),
            Heard::End(result) => {
                self.call = None;
                (Message::LlmResult { call_id, result }, None)
            }
        };
        self.machine.update(message);
        let ended = || ReasoningEvent::Finished(self.machine.status());
        self.events.push_back(event.unwrap_or_else(ended));
        Poll::Ready(())
    }
}

impl Stream for ActiveReasoning {
    type Item = ReasoningEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ReasoningEvent>> {
        if self.events.is_empty() && self.poll_call(cx).is_pending() {
            return Poll::Pending;
        }
        Poll::Ready(self.events.pop_front())
    }
}

impl fmt::Debug for ActiveReasoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveReasoning").field("machine", &self.machine).finish_non_exhaustive()
    }
}
