//! Where the pieces of a reply go while it comes in.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// A piece of a reply that is still coming in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// The next piece of the reply's text, never empty.
    Text(&'a str),
    /// All the text so far is void: the reply begins again.
    Restart,
}

/// Takes the pieces of one reply, in order. A driver makes one for each call, and hands it to
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
    take: Box<dyn Fn(Delta<'_>) + Send + Sync>,
    has_text: AtomicBool,
}

impl DeltaSink {
    /// A sink that gives each piece to a function, at once. The engine waits for it meanwhile, so it
    /// should be quick.
    #[must_use]
    pub fn new(take: impl Fn(Delta<'_>) + Send + Sync + 'static) -> Self {
        Self { take: Box::new(take), has_text: AtomicBool::new(false) }
    }

    /// Hands on the next piece of the text; nothing, if it is empty.
    pub fn push(&self, text: &str) {
        if !text.is_empty() {
            self.has_text.store(true, Ordering::Relaxed);
            (self.take)(Delta::Text(text));
        }
    }

    /// Says that all the text so far is void. Where there was none, nobody is told.
    pub fn restart(&self) {
        if self.has_text.swap(false, Ordering::Relaxed) {
            (self.take)(Delta::Restart);
        }
    }
}

impl fmt::Debug for DeltaSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaSink").field("has_text", &self.has_text).finish_non_exhaustive()
    }
}

/// What unit tests of models see of a stream.
#[cfg(test)]
pub(crate) mod record {
    use std::sync::{Arc, Mutex};

    use super::{Delta, DeltaSink};

    /// Text as it stands there, restarts as `<restart>`.
    pub(crate) type Record = Arc<Mutex<Vec<String>>>;

    pub(crate) fn recording_sink() -> (DeltaSink, Record) {
        let record = Record::default();
        let kept = Arc::clone(&record);
        let sink = DeltaSink::new(move |delta| {
            let piece = match delta {
                Delta::Text(text) => text,
                Delta::Restart => "<restart>",
            };
            kept.lock().unwrap().push(piece.to_owned());
        });
        (sink, record)
    }
}

#[cfg(test)]
mod tests {
    use super::record::recording_sink;

    #[test]
    fn pieces_keep_their_order_and_restarts_are_told_only_after_text() {
        let (sink, record) = recording_sink();
        sink.restart();
        sink.push("");
        sink.restart();
        sink.push("a");
        sink.push("b");
        sink.restart();
        sink.restart();
        sink.push("c");
        assert_eq!(*record.lock().unwrap(), ["a", "b", "<restart>", "c"]);
    }
}
