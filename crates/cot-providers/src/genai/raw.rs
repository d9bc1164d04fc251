//! Fields of raw responses that `genai` omits: refusals, blocked prompts, errors with status 200, and
//! the end of a chat completions stream without `[DONE]`.

use std::sync::{Mutex, PoisonError};

use cot_model::Usage;
use genai::chat::{ChatFrameSink, FrameCtx, RawFrameRef};
use serde::Deserialize;
use serde_json::Value;

use crate::http::{CallMembers, read_chat_usage};

/// Collects the raw events of a stream.
#[derive(Debug, Default)]
pub(super) struct FrameCollector(Mutex<Vec<String>>);

impl FrameCollector {
    /// Takes the events since the last call.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ChatFrameSink for FrameCollector {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        let data = frame.data.trim();
        if !data.is_empty() && data != "[DONE]" {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(data.to_owned());
        }
    }
}

/// Returns the error that a server reported instead of a reply.
pub(super) fn error(said: &Value) -> Option<&Value> {
    [&said["error"], &said["response"]["error"]].into_iter().find(|error| !error.is_null())
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

/// Returns whether a whole chat completion has calls.
pub(super) fn has_calls(said: &Value) -> bool {
    !list(&said["choices"][0]["message"]["tool_calls"]).is_empty()
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

/// Returns the token usage of a chat completion or a response of Gemini, if it has one.
pub(super) fn usage(said: &Value) -> Option<Usage> {
    let chat = [&said["usage"], &said["x_groq"]["usage"]];
    let gemini = &said["usageMetadata"];
    let chat = chat.into_iter().find(|usage| usage.is_object()).map(read_chat_usage);
    chat.or_else(|| gemini.is_object().then(|| read_gemini_usage(gemini)))
}

fn read_gemini_usage(usage: &Value) -> Usage {
    let count = |name| usage[name].as_u64().unwrap_or_default();
    let thoughts = count("thoughtsTokenCount");
    let output = count("candidatesTokenCount").saturating_add(thoughts);
    let usage = Usage::for_call(count("promptTokenCount"), output).reasoning(thoughts);
    usage.cached(count("cachedContentTokenCount"), 0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
