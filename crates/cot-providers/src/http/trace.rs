//! The trace context of requests, and the names of providers in traces.

use cot_model::{ModelReply, TraceContext};
use serde_json::Value;

/// Returns the headers of the current trace context.
pub(crate) fn trace_headers() -> Vec<(&'static str, String)> {
    let Some(context) = TraceContext::current() else { return Vec::new() };
    let state = context.trace_state().map(|state| ("tracestate", state.to_owned()));
    [("traceparent", context.to_string())].into_iter().chain(state).collect()
}

/// The bytes of an id or of the name of a model that are kept.
const MAX_NAME: usize = 200;

/// What a response says of itself.
#[derive(Debug, Default)]
pub(crate) struct ReplyNames {
    id: Option<String>,
    model: Option<String>,
}

impl ReplyNames {
    /// Reads the names from a whole response or from an event of a stream, unless they are known.
    pub(crate) fn read(&mut self, said: &Value) {
        let places = [said, &said["response"], &said["message"]];
        let find = |names: [&str; 2]| {
            let mut texts = places.iter().flat_map(|said| names.map(|name| said[name].as_str()));
            let found = texts.find_map(|text| text.filter(|text| !text.is_empty()));
            found.filter(|text| text.len() <= MAX_NAME).map(str::to_owned)
        };
        self.id = self.id.take().or_else(|| find(["id", "responseId"]));
        self.model = self.model.take().or_else(|| find(["model", "modelVersion"]));
    }

    /// Adds the names to a reply.
    pub(crate) fn add_to(self, reply: ModelReply) -> ModelReply {
        ModelReply { id: self.id, model: self.model, ..reply }
    }
}
