//! A sink that keeps what it is given.

use std::sync::{Arc, Mutex};

use cot_model::{Delta, DeltaSink};
use tokio::sync::Notify;

/// What a sink was given.
#[derive(Clone, Default)]
pub(crate) struct Record(Arc<Inner>);

#[derive(Default)]
struct Inner {
    pieces: Mutex<Vec<String>>,
    came: Notify,
}

impl Record {
    /// Texts as they stand there, restarts as `<restart>`.
    pub(crate) fn pieces(&self) -> Vec<String> {
        self.0.pieces.lock().unwrap().clone()
    }

    /// Waits until something came that nobody has waited for.
    pub(crate) async fn came(&self) {
        self.0.came.notified().await;
    }
}

pub(crate) fn recording_sink() -> (DeltaSink, Record) {
    let record = Record::default();
    let kept = record.clone();
    let sink = DeltaSink::new(move |delta| {
        let piece = match delta {
            Delta::Text(text) => text,
            Delta::Restart => "<restart>",
        };
        kept.0.pieces.lock().unwrap().push(piece.to_owned());
        kept.0.came.notify_one();
    });
    (sink, record)
}
