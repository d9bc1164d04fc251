//! Records streams for unit tests of models.

use std::sync::{Arc, Mutex};

use cot_model::{Delta, DeltaSink};

/// The chunks of a stream; a restart is recorded as `<restart>`.
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
