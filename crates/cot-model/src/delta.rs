//! Receivers of streamed replies.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// A chunk of a streamed reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// The next chunk of text. It is never empty.
    Text(&'a str),
    /// The next chunk of a reasoning model's thoughts, which are not part of the reply. It is never empty.
    Thought(&'a str),
    /// Discards the text and thoughts received so far: the reply starts again.
    Restart,
}

/// Receives the chunks of one reply, in order. A driver creates a sink for each call and passes it to
/// [`LanguageModel::stream`](crate::LanguageModel::stream).
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use cot_core::model::{Delta, DeltaSink};
///
/// let shown = Arc::new(Mutex::new(String::new()));
/// let screen = Arc::clone(&shown);
/// let sink = DeltaSink::new(move |delta| {
///     let mut screen = screen.lock().unwrap();
///     match delta {
///         Delta::Text(text) => screen.push_str(text),
///         Delta::Thought(_) => {}
///         Delta::Restart => screen.clear(),
///     }
/// });
/// sink.push("Lon");
/// sink.restart();
/// sink.push("Par");
/// sink.push("is");
/// assert_eq!(*shown.lock().unwrap(), "Paris");
/// ```
pub struct DeltaSink {
    receive: Box<dyn Fn(Delta<'_>) + Send + Sync>,
    has_text: AtomicBool,
}

impl DeltaSink {
    /// Creates a sink that calls a function with each chunk, synchronously. The model waits for it, so that
    /// the function should return quickly.
    #[must_use]
    pub fn new(receive: impl Fn(Delta<'_>) + Send + Sync + 'static) -> Self {
        Self { receive: Box::new(receive), has_text: AtomicBool::new(false) }
    }

    /// Sends the next chunk of text. Does nothing if it is empty.
    pub fn push(&self, text: &str) {
        if !text.is_empty() {
            self.has_text.store(true, Ordering::Relaxed);
            (self.receive)(Delta::Text(text));
        }
    }

    /// Sends the next chunk of thoughts. Does nothing if it is empty.
    pub fn push_thought(&self, thought: &str) {
        if !thought.is_empty() {
            self.has_text.store(true, Ordering::Relaxed);
            (self.receive)(Delta::Thought(thought));
        }
    }

    /// Discards the text and thoughts sent so far. Does nothing if there is none.
    pub fn restart(&self) {
        if self.has_text.swap(false, Ordering::Relaxed) {
            (self.receive)(Delta::Restart);
        }
    }
}

impl fmt::Debug for DeltaSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaSink").field("has_text", &self.has_text).finish_non_exhaustive()
    }
}

/// Test helpers for streamed replies.
#[cfg(test)]
pub(crate) mod record {
    use std::sync::{Arc, Mutex};

    use super::{Delta, DeltaSink};

    /// The recorded chunks: text unchanged, restarts as `<restart>`.
    pub(crate) type Record = Arc<Mutex<Vec<String>>>;

    pub(crate) fn recording_sink() -> (DeltaSink, Record) {
        let record = Record::default();
        let sink_record = Arc::clone(&record);
        let sink = DeltaSink::new(move |delta| {
            let chunk = match delta {
                Delta::Text(text) => text.to_owned(),
                Delta::Thought(thought) => format!("<thought>{thought}"),
                Delta::Restart => "<restart>".to_owned(),
            };
            sink_record.lock().unwrap().push(chunk);
        });
        (sink, record)
    }
}

#[cfg(test)]
mod tests {
    use super::record::recording_sink;

    #[test]
    fn chunks_keep_their_order_and_restarts_are_sent_only_after_text() {
        let (sink, record) = recording_sink();
        sink.restart();
        sink.push("");
        sink.restart();
        sink.push("a");
        sink.push("b");
        sink.restart();
        sink.restart();
        sink.push_thought("");
        sink.push_thought("hm");
        sink.restart();
        sink.push("c");
        let expected = ["a", "b", "<restart>", "<thought>hm", "<restart>", "c"];
        assert_eq!(*record.lock().unwrap(), expected);
    }
}
