//! A sink that records its input.

use std::sync::{Arc, Mutex};

use cot_model::{Delta, DeltaSink, LanguageModel, ModelError, ModelReply, ModelRequest};
use tokio::sync::Notify;

/// The recorded input of a sink.
#[derive(Clone, Default)]
pub(crate) struct Record(Arc<Inner>);

#[derive(Default)]
struct Inner {
    pieces: Mutex<Vec<String>>,
    came: Notify,
}

impl Record {
    /// The texts, with thoughts as `<thought>` and their text, and restarts as `<restart>`.
    pub(crate) fn pieces(&self) -> Vec<String> {
        self.0.pieces.lock().unwrap().clone()
    }

    /// Waits for input that was not awaited before.
    pub(crate) async fn came(&self) {
        self.0.came.notified().await;
    }
}

pub(crate) fn recording_sink() -> (DeltaSink, Record) {
    let record = Record::default();
    let kept = record.clone();
    let sink = DeltaSink::new(move |delta| {
        let piece = match delta {
            Delta::Text(text) => text.to_owned(),
            Delta::Thought(thought) => format!("<thought>{thought}"),
            Delta::Restart => "<restart>".to_owned(),
        };
        kept.0.pieces.lock().unwrap().push(piece);
        kept.0.came.notify_one();
    });
    (sink, record)
}

/// Requests a reply; the pieces of a stream have to make up its text, or there are none.
pub(crate) async fn ask(
    model: &dyn LanguageModel,
    request: &ModelRequest,
    streams: bool,
) -> Result<ModelReply, ModelError> {
    if !streams {
        return model.reply(request).await;
    }
    let (sink, record) = recording_sink();
    let reply = model.stream(request, &sink).await;
    let pieces = record.pieces();
    let since = pieces.iter().rposition(|piece| piece == "<restart>").map_or(0, |at| at + 1);
    let text: Vec<_> =
        pieces[since..].iter().filter(|piece| !piece.starts_with("<thought>")).cloned().collect();
    if let Ok(reply) = &reply {
        assert!(text.is_empty() || text.concat() == reply.text, "{pieces:?} {reply:?}");
    }
    reply
}
