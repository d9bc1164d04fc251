//! A question that is being answered.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{ChunkType, Machine, Message, Status};
use crate::{
    LanguageModel,
    model::{BoxFuture, Delta, DeltaSink, ModelError, ModelReply, ModelRequest},
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

/// A call of a model, with what came in of its reply.
pub(super) struct Call {
    id: String,
    reply: BoxFuture<'static, Result<ModelReply, ModelError>>,
    pieces: UnboundedReceiver<Piece>,
}

/// A piece of a reply; `None` is where it begins again.
type Piece = Option<String>;

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

    fn take(&mut self, call_id: String, piece: Piece) {
        let (message, event) = match piece {
            Some(delta) => {
                let event = ReasoningEvent::Delta(delta.clone());
                let chunk_type = ChunkType::Content;
                (Message::LlmPartial { call_id, delta, chunk_type }, event)
            }
            None => (Message::LlmRestart { call_id }, ReasoningEvent::Restarted),
        };
        self.machine.update(message);
        self.events.push_back(event);
    }

    fn end(&mut self, mut call: Call, result: Result<ModelReply, ModelError>) {
        while let Ok(piece) = call.pieces.try_recv() {
            self.take(call.id.clone(), piece);
        }
        self.machine.update(Message::LlmResult { call_id: call.id, result });
        self.events.push_back(ReasoningEvent::Finished(self.machine.status()));
    }

    /// Goes on with the call until something has happened.
    fn poll_call(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(mut call) = self.call.take() else {
            return Poll::Ready(());
        };
        if let Poll::Ready(result) = call.reply.as_mut().poll(cx) {
            self.end(call, result);
            return Poll::Ready(());
        }
        let piece = call.pieces.poll_recv(cx);
        let happened = if let Poll::Ready(Some(piece)) = piece {
            self.take(call.id.clone(), piece);
            Poll::Ready(())
        } else {
            Poll::Pending
        };
        self.call = Some(call);
        happened
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

impl Call {
    pub(super) fn new(id: String, model: Arc<dyn LanguageModel>, request: ModelRequest) -> Self {
        let (sender, pieces) = unbounded_channel();
        // Who no longer listens misses nothing.
        let sink = DeltaSink::new(move |delta| {
            let _ = sender.send(match delta {
                Delta::Text(text) => Some(text.to_owned()),
                Delta::Restart => None,
            });
        });
        let reply = Box::pin(async move { model.stream(&request, &sink).await });
        Self { id, reply, pieces }
    }
}

impl fmt::Debug for ActiveReasoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveReasoning").field("machine", &self.machine).finish_non_exhaustive()
    }
}
