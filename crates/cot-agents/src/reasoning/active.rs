//! A running question.

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
    reasoning::{
        machine::Machine,
        message::{ChunkType, Message, Status},
    },
    streaming_call::{StreamEvent, StreamingCall},
};

/// An event of a running question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReasoningEvent {
    /// The model call was started.
    Started {
        /// The id of the call.
        call_id: String,
    },
    /// The next chunk of the reply. A model that can't stream emits none.
    Delta(String),
    /// The reply starts again; all previous chunks are void.
    Restarted,
    /// The reply is complete, or the model failed. The [`Machine`] holds the result.
    Finished(Status),
}

/// A running question: a stream of [`ReasoningEvent`]s. Dropping it cancels the model call.
pub struct ActiveReasoning {
    machine: Machine,
    call: Option<Call>,
    events: VecDeque<ReasoningEvent>,
}

/// A model call with its id.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) stream: StreamingCall,
}

impl ActiveReasoning {
    pub(super) fn new(machine: Machine, call: Option<Call>) -> Self {
        let started = call.iter().map(|call| ReasoningEvent::Started { call_id: call.id.clone() });
        Self { machine, events: started.collect(), call }
    }

    /// Returns the current machine.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Returns the current machine and cancels a call in flight.
    #[must_use]
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    /// Waits for the reply and returns the machine in its final state.
    ///
    /// # Errors
    ///
    /// Fails with the error of the model.
    pub async fn finish(mut self) -> Result<Machine, ModelError> {
        while self.next().await.is_some() {}
        match self.machine.error() {
            Some(error) => Err(error.clone()),
            None => Ok(self.machine),
        }
    }

    /// Polls the model call until it emits an event.
    fn poll_call(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(call) = &mut self.call else {
            return Poll::Ready(());
        };
        let Poll::Ready(event) = call.stream.poll_event(cx) else {
            return Poll::Pending;
        };
        let call_id = call.id.clone();
        let (message, event) = match event {
            StreamEvent::Text(delta) => {
                let event = ReasoningEvent::Delta(delta.clone());
                let chunk_type = ChunkType::Content;
                (Message::LlmPartial { call_id, delta, chunk_type }, Some(event))
            }
            StreamEvent::Restart => {
                (Message::LlmRestart { call_id }, Some(ReasoningEvent::Restarted))
            }
            StreamEvent::End(result) => {
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
