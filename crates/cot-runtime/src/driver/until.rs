//! Streamed replies that end where their task says.

use std::{
    future::poll_fn,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use cot_engine::{Process, ReplyEnd, ReplyWatcher};
use cot_model::{Delta, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};

use crate::driver::stream_events::ReplyListener;

/// Streams a reply until it is complete or ends by itself; the call is then dropped, and the reply is the text so
/// far. `listener` receives the chunks up to the end.
pub(crate) async fn stream_until<P: Process>(
    model: Arc<dyn LanguageModel>,
    request: Arc<ModelRequest>,
    until: ReplyEnd,
    listener: Option<ReplyListener<P>>,
) -> Result<ModelReply, ModelError> {
    let listener = listener.map(Arc::new);
    let watched = Arc::new(Mutex::new(WatchedReply::new(until)));
    let sink = DeltaSink::new({
        let (watched, listener) = (Arc::clone(&watched), listener.clone());
        move |delta| {
            let mut watched = lock(&watched);
            if !watched.has_ended {
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
            (None, polled) => polled,
            // A model that sends its last chunk with the whole reply has reported its usage.
            (Some(text), Poll::Ready(Ok(reply))) => {
                Poll::Ready(Ok(ModelReply::new(text).usage(reply.usage)))
            }
            (Some(text), _) => Poll::Ready(Ok(ModelReply::new(text))),
        }
    })
    .await;
    if let (Ok(_), Some(listener)) = (&answer, listener) {
        listener.end();
    }
    answer
}

/// The text of a reply so far, and what decides where it ends.
struct WatchedReply {
    until: ReplyEnd,
    /// Created with the first chunk, and again after a restart.
    watcher: Option<ReplyWatcher>,
    text: String,
    has_ended: bool,
}

impl WatchedReply {
    const fn new(until: ReplyEnd) -> Self {
        Self { until, watcher: None, text: String::new(), has_ended: false }
    }

    fn push(&mut self, delta: Delta<'_>) {
        match delta {
            Delta::Text(text) => {
                self.text.push_str(text);
                let watcher = self.watcher.get_or_insert_with(|| self.until.watch());
                self.has_ended = watcher.push(text);
            }
            Delta::Thought(_) => {}
            Delta::Restart => {
                self.text.clear();
                self.watcher = None;
            }
        }
    }

    /// Takes the text if the reply has ended.
    fn take_text(&mut self) -> Option<String> {
        self.has_ended.then(|| mem::take(&mut self.text))
    }
}

fn forward(delta: Delta<'_>, sink: &DeltaSink) {
    match delta {
        Delta::Text(text) => sink.push(text),
        Delta::Thought(thought) => sink.push_thought(thought),
        Delta::Restart => sink.restart(),
    }
}

// A panic with the lock fails the whole call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
