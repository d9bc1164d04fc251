//! Fields of raw responses that `genai` omits: refusals, blocked prompts, errors with status 200, and
//! the end of a chat completions stream without `[DONE]`.

use std::sync::{Mutex, PoisonError};

use cot_model::Usage;
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde::Deserialize;
use serde_json::Value;

use crate::http::{CallMembers, chat_usage};

/// Collects the raw events of a stream.
#[derive(Debug, Default)]
pub(super) struct FrameCollector(Mutex<Frames>);

/// The raw events since they were last taken.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The events with data.
    pub(super) events: Vec<Frame>,
    /// Whether the server marked the end of the stream.
    pub(super) is_done: bool,
    /// Whether the server sent anything, such as what keeps the connection alive.
    pub(super) is_alive: bool,
}

/// The data of a raw event.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) data: String,
    /// Whether the event has the name `error`.
    pub(super) is_error: bool,
}

impl FrameCollector {
    /// Takes the events since the last call.
    pub(super) fn take(&self) -> Frames {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ChatFrameSink for FrameCollector {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.is_alive = true;
        match frame.data.trim() {
            "" => {}
            "[DONE]" => frames.is_done = true,
            data => {
                let is_error = frame.event == Some("error");
                frames.events.push(Frame { data: data.to_owned(), is_error });
            }
        }
    }
}

/// Returns whether a content filter blocked the prompt or cut the reply off.
pub(super) fn is_blocked(said: &Value) -> bool {
    let details = [said, &said["response"]].map(|said| &said["incomplete_details"]["reason"]);
    said["promptFeedback"]["blockReason"].is_string()
        || details.into_iter().any(|reason| reason == "content_filter")
}

/// Returns the next part of a refusal, or all of it; empty if the response is not a refusal.
pub(super) fn refusal(said: &Value) -> String {
    if said["type"] == "response.refusal.delta" {
        return text(&said["delta"]).to_owned();
    }
    let choice = &said["choices"][0];
    let parts = list(&said["output"]).iter().flat_map(|item| list(&item["content"]));
    let refusals = parts.map(|part| &part["refusal"]);
    let refusals = refusals.chain([&choice["message"]["refusal"], &choice["delta"]["refusal"]]);
    refusals.map(text).collect()
}

/// Returns why a chat completion ended. Some servers send "" until it ends.
pub(super) fn finish_reason(said: &Value) -> Option<&str> {
    Some(text(&said["choices"][0]["finish_reason"])).filter(|reason| !reason.is_empty())
}

/// Returns whether the response has a place for choices and none in it, as if the server had failed before.
pub(super) fn lost_its_choices(said: &Value) -> bool {
    said.get("choices")
        .is_some_and(|choices| choices.is_null() || choices == &Value::Array(Vec::new()))
}

/// Returns the members of the message of a chat completion, or of a piece of it, that have to do with calls.
///
/// # Errors
///
/// If they are not in the protocol.
pub(super) fn call_members(said: &Value) -> serde_json::Result<CallMembers> {
    let choice = &said["choices"][0];
    let members = [&choice["message"], &choice["delta"]].into_iter().find(|it| it.is_object());
    members.map_or_else(|| Ok(CallMembers::default()), CallMembers::deserialize)
}

/// Returns the text of a whole chat completion.
pub(super) fn chat_text(said: &Value) -> String {
    match &said["choices"][0]["message"]["content"] {
        Value::String(text) => text.clone(),
        parts => list(parts).iter().map(|part| text(&part["text"])).collect(),
    }
}

/// Returns whether the response is a chat completion or a chunk of one.
pub(super) fn has_choice(said: &Value) -> bool {
    said["choices"][0].is_object()
}

/// Returns whether a text field has another type; `genai` ignores such fields.
pub(super) fn has_odd_text(said: &Value) -> bool {
    let choice = &said["choices"][0];
    let contents = [&choice["delta"]["content"], &choice["message"]["content"]];
    let is_odd =
        |content: &Value| !(content.is_null() || content.is_string() || content.is_array());
    let is_piece = said["type"] == "response.output_text.delta";
    contents.into_iter().any(is_odd)
        || is_odd(&said["message"]["content"])
        || is_piece && !said["delta"].is_string()
}

/// Returns the token usage of a response, if it has one.
pub(super) fn usage(said: &Value) -> Option<Usage> {
    let gemini = &said["usageMetadata"];
    let others = || gemini.is_object().then(|| read_gemini_usage(gemini));
    chat_usage(said).or_else(others).or_else(|| read_other_usage(said))
}

fn read_gemini_usage(usage: &Value) -> Usage {
    let thoughts = count(usage, "thoughtsTokenCount");
    let output = count(usage, "candidatesTokenCount").saturating_add(thoughts);
    let usage_of_call = Usage::for_call(count(usage, "promptTokenCount"), output);
    usage_of_call.reasoning(thoughts).cached(count(usage, "cachedContentTokenCount"), 0)
}

/// Reads the usage of Anthropic and of OpenAI's responses, which a stream has within its first or last event.
fn read_other_usage(said: &Value) -> Option<Usage> {
    let at_start = &said["message"]["usage"];
    let places = [&said["usage"], &said["response"]["usage"], at_start];
    let usage = places.into_iter().find(|usage| usage["input_tokens"].is_u64())?;
    let cached = count(usage, "cache_read_input_tokens");
    let written = count(usage, "cache_creation_input_tokens");
    let input = count(usage, "input_tokens").saturating_add(cached).saturating_add(written);
    let read = Usage::for_call(input, count(usage, "output_tokens")).cached(cached, written);
    // The first event has the input alone.
    Some(Usage { uncounted_calls: u64::from(std::ptr::eq(usage, at_start)), ..read })
}

fn count(usage: &Value, name: &str) -> u64 {
    usage[name].as_u64().unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
