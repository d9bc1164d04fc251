//! The protocols of the providers.

use cot_model::LanguageModel;
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::{
    builder,
    completions::{self, data},
    server::Answer,
    wire::{Limits, Wire},
};

fn model(name: &str, base_url: &str, limits: Limits) -> Box<dyn LanguageModel> {
    let builder = builder(name, base_url).timeout(limits.timeout).max_retries(limits.retries);
    Box::new(builder.max_reply_bytes(limits.max_bytes).build().unwrap())
}

/// The clients of the fault matrix.
pub(crate) fn wires() -> [Wire; 6] {
    [
        anthropic(),
        gemini(),
        completions::chat("openai", |url, limits| model("openai::tiny", url, limits)),
        completions::chat("ollama", |url, limits| model("tiny", url, limits)),
        responses(),
        ollama_cloud(),
    ]
}

/// An event of Anthropic's or OpenAI's responses API, which contains its type twice.
pub(crate) fn event(kind: &str, mut json: Value) -> String {
    json["type"] = kind.into();
    format!("event: {kind}\ndata: {json}\n\n")
}

/// The first events of Anthropic's streams.
pub(crate) fn anthropic_start() -> String {
    let usage = json!({ "input_tokens": 11, "output_tokens": 1 });
    let message = json!({ "id": "m", "type": "message", "role": "assistant", "content": [],
        "model": "tiny", "stop_reason": null, "usage": usage });
    let block = json!({ "index": 0, "content_block": { "type": "text", "text": "" } });
    let start = event("message_start", json!({ "message": message }));
    start + &event("content_block_start", block) + &event("ping", json!({}))
}

/// The last events of Anthropic's streams.
pub(crate) fn anthropic_end(reason: &str) -> String {
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    let delta = json!({ "delta": delta, "usage": { "output_tokens": 7 } });
    let stop = event("content_block_stop", json!({ "index": 0 }));
    stop + &event("message_delta", delta) + &event("message_stop", json!({}))
}

fn anthropic() -> Wire {
    let error = json!({ "type": "overloaded_error", "message": "no room" });
    Wire {
        name: "anthropic",
        model: |url, limits| model("anthropic::tiny", url, limits),
        start: anthropic_start(),
        text: |text| {
            let delta = json!({ "type": "text_delta", "text": text });
            event("content_block_delta", json!({ "index": 0, "delta": delta }))
        },
        end: anthropic_end("end_turn"),
        error: event("error", json!({ "error": error })),
        keep_alive: "event: ping\ndata: {\"type\": \"ping\"}\n\n: ping\n\n",
        garbage: "event: content_block_delta\ndata: oops\n\n",
    }
}

/// A chunk of a Gemini stream, or a whole reply.
pub(crate) fn gemini_content(text: &str, reason: Option<&str>) -> Value {
    let content = json!({ "parts": [{ "text": text }], "role": "model" });
    let mut candidate = json!({ "content": content, "index": 0 });
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    let usage = json!({ "promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18 });
    json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "tiny" })
}

fn gemini() -> Wire {
    let error = json!({ "code": 503, "message": "no room", "status": "UNAVAILABLE" });
    Wire {
        name: "gemini",
        model: |url, limits| model("gemini::tiny", url, limits),
        start: String::new(),
        text: |text| data(&gemini_content(text, None)),
        end: data(&gemini_content("", Some("STOP"))),
        error: data(&json!({ "error": error })),
        keep_alive: ": ping\n\n",
        garbage: "data: oops\n\n",
    }
}

/// A response of OpenAI's responses API.
pub(crate) fn response(status: &str, output: Value) -> Value {
    let usage = json!({ "input_tokens": 11, "output_tokens": 7, "total_tokens": 18 });
    json!({ "id": "r", "object": "response", "status": status, "error": null, "model": "tiny",
        "output": output, "usage": usage })
}

fn responses() -> Wire {
    let created = json!({ "response": response("in_progress", json!([])) });
    let completed = json!({ "response": response("completed", json!([])) });
    let error = json!({ "code": "server_error", "message": "no room" });
    Wire {
        name: "responses",
        model: |url, limits| model("openai_resp::tiny", url, limits),
        start: event("response.created", created),
        text: |text| {
            let delta = json!({ "output_index": 0, "content_index": 0, "delta": text });
            event("response.output_text.delta", delta)
        },
        end: event("response.completed", completed),
        error: event("error", error),
        keep_alive: ": ping\n\n",
        garbage: "event: response.output_text.delta\ndata: oops\n\n",
    }
}

/// A line of Ollama's native protocol.
pub(crate) fn line(text: &str, reason: Option<&str>) -> String {
    let message = json!({ "role": "assistant", "content": text });
    let mut line = json!({ "model": "tiny", "message": message, "done": reason.is_some() });
    if let Some(reason) = reason {
        line["done_reason"] = reason.into();
        line["prompt_eval_count"] = 11.into();
        line["eval_count"] = 7.into();
    }
    format!("{line}\n")
}

fn ollama_cloud() -> Wire {
    Wire {
        name: "ollama_cloud",
        model: |url, limits| model("ollama_cloud::tiny", url, limits),
        start: String::new(),
        text: |text| line(text, None),
        end: line("", Some("stop")),
        error: format!("{}\n", json!({ "error": { "message": "no room", "code": 503 } })),
        keep_alive: "\n",
        garbage: "oops\n",
    }
}

/// A reply of a provider in one piece, and its stop reasons.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) model: &'static str,
    pub(crate) dialect: Dialect,
    pub(crate) whole: fn(&str, &str) -> Answer,
    /// The end of a stream with this reason.
    pub(crate) end: fn(&str) -> String,
    pub(crate) stop: &'static str,
    pub(crate) length: &'static str,
    pub(crate) filtered: &'static str,
}

/// All protocols, in the order of [`wires`].
pub(crate) fn protocols() -> [Protocol; 6] {
    let chat = Protocol {
        name: "openai",
        model: "openai::tiny",
        dialect: Dialect::OpenAiStrict,
        whole: |text, reason| Answer::choice(json!({ "content": text }), reason),
        end: chat_end,
        stop: "stop",
        length: "length",
        filtered: "content_filter",
    };
    let ollama = Protocol { name: "ollama", model: "tiny", dialect: Dialect::LlamaCpp, ..chat };
    [anthropic_protocol(), gemini_protocol(), chat, ollama, responses_protocol(), cloud_protocol()]
}

fn chat_end(reason: &str) -> String {
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7 });
    let counted = data(&json!({ "choices": [], "usage": usage }));
    format!("{}{counted}data: [DONE]\n\n", completions::chunk(&json!({}), Some(reason)))
}

fn anthropic_protocol() -> Protocol {
    Protocol {
        name: "anthropic",
        model: "anthropic::tiny",
        dialect: Dialect::Anthropic,
        whole: |text, reason| {
            let usage = json!({ "input_tokens": 11, "output_tokens": 7 });
            let content = json!([{ "type": "text", "text": text }]);
            Answer::json(
                200,
                &json!({ "id": "m", "type": "message", "role": "assistant", "model": "tiny",
                    "content": content, "stop_reason": reason, "usage": usage }),
            )
        },
        end: anthropic_end,
        stop: "end_turn",
        length: "max_tokens",
        filtered: "refusal",
    }
}

fn gemini_protocol() -> Protocol {
    Protocol {
        name: "gemini",
        model: "gemini::tiny",
        dialect: Dialect::Gemini,
        whole: |text, reason| Answer::json(200, &gemini_content(text, Some(reason))),
        end: |reason| data(&gemini_content("", Some(reason))),
        stop: "STOP",
        length: "MAX_TOKENS",
        filtered: "PROHIBITED_CONTENT",
    }
}

/// A response that ended with this status, or was filtered.
fn ended_response(status: &str, output: Value) -> Value {
    if status != "filtered" {
        return response(status, output);
    }
    let mut response = response("incomplete", output);
    response["incomplete_details"] = json!({ "reason": "content_filter" });
    response
}

fn responses_protocol() -> Protocol {
    Protocol {
        name: "responses",
        model: "openai_resp::tiny",
        dialect: Dialect::OpenAiStrict,
        whole: |text, status| {
            let content = json!([{ "type": "output_text", "text": text }]);
            let output = json!([{ "type": "message", "role": "assistant", "content": content }]);
            Answer::json(200, &ended_response(status, output))
        },
        end: |status| {
            let response = ended_response(status, json!([]));
            let kind = format!("response.{}", response["status"].as_str().unwrap());
            event(&kind, json!({ "response": response }))
        },
        stop: "completed",
        length: "incomplete",
        filtered: "filtered",
    }
}

fn cloud_protocol() -> Protocol {
    Protocol {
        name: "ollama_cloud",
        model: "ollama_cloud::tiny",
        dialect: Dialect::Plain,
        whole: |text, reason| {
            Answer::new(200, line(text, Some(reason))).with("content-type", "application/json")
        },
        end: |reason| line("", Some(reason)),
        stop: "stop",
        length: "length",
        filtered: "content_filter",
    }
}
