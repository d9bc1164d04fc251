//! A streaming call of a language model.

use std::{
    fmt,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use cot_model::{
    BoxFuture, Delta, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply,
    ModelRequest,
};
use cot_runtime::internal::with_timeout;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A model call whose reply is read while it arrives. The call starts at the first poll; dropping it cancels
/// the call.
pub(crate) struct StreamingCall {
    reply: BoxFuture<'static, Result<ModelReply, ModelError>>,
    events: UnboundedReceiver<StreamEvent>,
    /// The result of the call, while earlier events are still queued.
    result: Option<Result<ModelReply, ModelError>>,
}

/// An event of a streaming call.
#[derive(Debug)]
pub(crate) enum StreamEvent {
    /// The next chunk of the reply's text. A model that can't stream emits none.
    Text(String),
    /// The reply starts again; all previous chunks are void.
    Restart,
    /// The complete reply or the error. This is the last event; the call must not be polled again.
    End(Result<ModelReply, ModelError>),
}

impl StreamingCall {
    /// Creates a call with an optional time limit.
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        request: ModelRequest,
        limit: Option<Duration>,
    ) -> Self {
        let (sender, events) = unbounded_channel();
        // A send fails only after the receiver was dropped with the call.
        let sink = DeltaSink::new(move |delta| {
            let event = match delta {
                Delta::Text(text) => StreamEvent::Text(text.to_owned()),
                Delta::Thought(_) => return,
                Delta::Restart => StreamEvent::Restart,
            };
            let _ = sender.send(event);
        });
        let reply = Box::pin(async move {
            let reply = with_timeout(limit, model.stream(&request, &sink)).await;
            reply.unwrap_or_else(|| Err(timeout_error(limit)))
        });
        Self { reply, events, result: None }
    }

    /// Polls the call until an event is available.
    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<StreamEvent> {
        // Queued events go first, so that the queue stays short.
        if let Ok(event) = self.events.try_recv() {
            return Poll::Ready(event);
        }
        if self.result.is_none()
            && let Poll::Ready(result) = self.reply.as_mut().poll(cx)
        {
            self.result = Some(result);
        }
        match (self.events.poll_recv(cx), self.result.take()) {
            (Poll::Ready(Some(event)), result) => {
                self.result = result;
                Poll::Ready(event)
            }
            (_, Some(result)) => Poll::Ready(StreamEvent::End(result)),
            (_, None) => Poll::Pending,
        }
    }
}

fn timeout_error(limit: Option<Duration>) -> ModelError {
    let limit = limit.unwrap_or_default();
    ModelError::new(ModelErrorKind::Timeout, format!("no complete reply arrived within {limit:?}"))
}

impl fmt::Debug for StreamingCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamingCall").field("result", &self.result).finish_non_exhaustive()
    }
}
