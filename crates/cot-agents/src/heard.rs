//! A call of a model, with what comes in of its reply.

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

/// A call that is listened to. Nothing happens before it is polled; dropping it drops the call.
pub(crate) struct HeardCall {
    reply: BoxFuture<'static, Result<ModelReply, ModelError>>,
    pieces: UnboundedReceiver<Heard>,
    /// The end, while there are pieces from before it.
    ended: Option<Result<ModelReply, ModelError>>,
}

/// What is heard of a call.
#[derive(Debug)]
pub(crate) enum Heard {
    /// The next piece of the reply's text; models that can't stream give none.
    Text(String),
    /// The reply begins again: the pieces so far are void.
    Restart,
    /// The whole reply, or why there is none. It is heard last, and the call is not polled again.
    End(Result<ModelReply, ModelError>),
}

impl HeardCall {
    /// A call, with or without a time limit.
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        request: ModelRequest,
        limit: Option<Duration>,
    ) -> Self {
        let (sender, pieces) = unbounded_channel();
        // Who no longer listens misses nothing.
        let sink = DeltaSink::new(move |delta| {
            let _ = sender.send(match delta {
                Delta::Text(text) => Heard::Text(text.to_owned()),
                Delta::Restart => Heard::Restart,
            });
        });
        let reply = Box::pin(async move {
            let reply = with_timeout(limit, model.stream(&request, &sink)).await;
            reply.unwrap_or_else(|| Err(too_slow(limit)))
        });
        Self { reply, pieces, ended: None }
    }

    /// Goes on with the call until something is heard.
    pub(crate) fn poll_heard(&mut self, cx: &mut Context<'_>) -> Poll<Heard> {
        // What waits is heard before the model says more, so that little waits.
        if let Ok(heard) = self.pieces.try_recv() {
            return Poll::Ready(heard);
        }
        if self.ended.is_none()
            && let Poll::Ready(result) = self.reply.as_mut().poll(cx)
        {
            self.ended = Some(result);
        }
        match (self.pieces.poll_recv(cx), self.ended.take()) {
            (Poll::Ready(Some(heard)), ended) => {
                self.ended = ended;
                Poll::Ready(heard)
            }
            (_, Some(result)) => Poll::Ready(Heard::End(result)),
            (_, None) => Poll::Pending,
        }
    }
}

fn too_slow(limit: Option<Duration>) -> ModelError {
    let limit = limit.unwrap_or_default();
    ModelError::new(ModelErrorKind::Timeout, format!("there was no whole reply within {limit:?}"))
}

impl fmt::Debug for HeardCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeardCall").field("ended", &self.ended).finish_non_exhaustive()
    }
}
