//! Records streams for unit tests of models.

use std::sync::{Arc, Mutex};

use cot_model::{Delta, DeltaSink};

/// The chunks of a stream; a restart is recorded as `<restart>`.
pub(crate) type Chunks = Arc<Mutex<Vec<String>>>;

pub(crate) fn recording_sink() -> (DeltaSink, Chunks) {
    let record = Chunks::default();
    let chunks = Arc::clone(&record);
    let sink = DeltaSink::new(move |delta| {
        let piece = match delta {
            Delta::Text(text) | Delta::Thought(text) => text,
            Delta::Restart => "<restart>",
        };
        chunks.lock().unwrap().push(piece.to_owned());
    });
    (sink, record)
}
