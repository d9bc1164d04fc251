//! Chat completions, whole and streamed.

use cot_model::LanguageModel;
use serde_json::{Value, json};

use crate::{
    server::Answer,
    wire::{Limits, Wire},
};

impl Answer {
    /// An error response with the usual body.
    pub(crate) fn failure(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": { "message": message, "code": "some_code" } }))
    }

    /// A chat completion with this text.
    pub(crate) fn completion(content: &str) -> Self {
        Self::choice(json!({ "content": content }), "stop")
    }

    pub(crate) fn choice(mut message: Value, finish_reason: &str) -> Self {
        message["role"] = "assistant".into();
        let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason });
        let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
        Self::json(200, &json!({ "id": "chat-1", "choices": [choice], "usage": usage }))
    }

    /// A stream of events with this data.
    pub(crate) fn events<D: AsRef<str>>(data: impl IntoIterator<Item = D>) -> Self {
        let events = data.into_iter().map(|data| format!("data: {}\n\n", data.as_ref()));
        Self::new(200, events.collect::<String>()).with("content-type", "text/event-stream")
    }
}

pub(crate) fn data(json: &Value) -> String {
    format!("data: {json}\n\n")
}

/// Chat completions in OpenAI's stream format.
pub(crate) fn chat(name: &'static str, model: fn(&str, Limits) -> Box<dyn LanguageModel>) -> Wire {
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
    let counted = data(&json!({ "id": "c", "choices": [], "usage": usage }));
    let stop = chunk(&json!({}), Some("stop"));
    let error = json!({ "message": "no room", "type": "server_error", "code": 503 });
    Wire {
        name,
        model,
        start: chunk(&json!({ "role": "assistant", "content": "" }), None),
        text: |text| chunk(&json!({ "content": text }), None),
        end: format!("{stop}{counted}data: [DONE]\n\n"),
        error: data(&json!({ "error": error })),
        keep_alive: ": ping\n\n",
        garbage: "data: oops\n\n",
    }
}

/// An event of a chat completion.
pub(crate) fn chunk(delta: &Value, reason: Option<&str>) -> String {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    data(&json!({ "id": "c", "choices": [choice], "usage": null }))
}
