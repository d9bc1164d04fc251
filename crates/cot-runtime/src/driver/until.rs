//! Streamed replies that end where their task says.

use std::{
    future::poll_fn,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use cot_engine::{FunctionError, ReplyEnd, ReplyWatcher};
use cot_model::{
    Delta, DeltaSink, FinishReason, LanguageModel, ModelError, ModelReply, ModelRequest, Usage,
};

use crate::{driver::stream_events::ReplyListener, trace::call_cell::CallCell};

/// The result of a model call.
type ModelResult = Result<ModelReply, ModelError>;

/// Streams a reply until it is complete or ends by itself; the call is then dropped, and the reply is the text so
/// far. The listener receives the chunks up to the end, and the cell that there are any.
///
/// # Errors
///
/// If the function that watches the reply panicked. The call is then dropped.
pub(crate) async fn stream_until(
    model: Arc<dyn LanguageModel>,
    request: Arc<ModelRequest>,
    until: ReplyEnd,
    (listener, cell): (Option<ReplyListener>, Option<Arc<CallCell>>),
) -> Result<ModelResult, FunctionError> {
    let listener = listener.map(Arc::new);
    let watched = Arc::new(Mutex::new(WatchedReply::new(until)));
    let sink = DeltaSink::new({
        let (watched, listener) = (Arc::clone(&watched), listener.clone());
        move |delta| {
            if let (Some(cell), Delta::Text(_) | Delta::Thought(_)) = (&cell, delta) {
                cell.note_chunk();
            }
            let mut watched = lock(&watched);
            if watched.end.is_none() {
                listener.iter().for_each(|listener| forward(delta, listener.sink()));
                watched.push(delta);
            }
        }
    });
    let request = request.in_form_for(model.calls_tools());
    let mut streaming = model.stream(&request, &sink);
    let answer = poll_fn(|cx| {
        let polled = streaming.as_mut().poll(cx);
        match (lock(&watched).take_text(), polled) {
            (None, polled) => polled.map(Ok),
            (Some(Err(panic)), _) => Poll::Ready(Err(panic)),
            (Some(Ok(text)), Poll::Ready(Ok(reply))) => Poll::Ready(Ok(Ok(shorten(reply, text)))),
            // The call is dropped before the server counts its tokens.
            (Some(Ok(text)), _) => {
                Poll::Ready(Ok(Ok(ModelReply::new(text).usage(Usage::uncounted_call()))))
            }
        }
    })
    .await;
    if let (Ok(Ok(_)), Some(listener)) = (&answer, listener) {
        listener.end();
    }
    answer
}

/// Replaces the text of a complete reply by that up to its end. The usage and the tool calls stay, and a refusal
/// stays as it is.
fn shorten(reply: ModelReply, text: String) -> ModelReply {
    match reply.finish {
        FinishReason::Refusal => reply,
        _ => ModelReply { text, finish: FinishReason::Stop, ..reply },
    }
}

/// The text of a reply so far, and what decides where it ends.
struct WatchedReply {
    until: ReplyEnd,
    /// Created with the first chunk, and again after a restart.
    watcher: Option<ReplyWatcher>,
    text: String,
    /// The end of the reply, or the panic of the function.
    end: Option<Result<(), FunctionError>>,
}

impl WatchedReply {
    const fn new(until: ReplyEnd) -> Self {
        Self { until, watcher: None, text: String::new(), end: None }
    }

    fn push(&mut self, delta: Delta<'_>) {
        match delta {
            Delta::Text(text) => {
                self.text.push_str(text);
                let watcher = self.watcher.get_or_insert_with(|| self.until.watch());
                self.end = match watcher.push(text) {
                    Ok(has_ended) => has_ended.then_some(Ok(())),
                    Err(panic) => Some(Err(panic)),
                };
            }
            Delta::Thought(_) => {}
            Delta::Restart => {
                self.text.clear();
                self.watcher = None;
            }
        }
    }

    /// Takes the text if the reply has ended.
    fn take_text(&mut self) -> Option<Result<String, FunctionError>> {
        let text = &mut self.text;
        Some(self.end.take()?.map(|()| mem::take(text)))
    }
}

fn forward(delta: Delta<'_>, sink: &DeltaSink) {
    match delta {
        Delta::Text(text) => sink.push(text),
        Delta::Thought(thought) => sink.push_thought(thought),
        Delta::Restart => sink.restart(),
    }
}

// Code that panics with the lock is not called again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
