//! Reading of streamed replies.

use cot_model::{DeltaSink, ModelReply};
use reqwest::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    sse::EventParser,
    wire::{self, Content},
};
use crate::http::{AttemptError, CallMembers, PartialCalls, ReplyNames, Secrets, read_chat_usage};

/// Reads a streamed reply to its end and passes its text and thoughts to the sink.
///
/// At most `limit` bytes are buffered. The JSON around the text in each event does not count, since it
/// is many times longer than the text.
pub(super) async fn read(
    mut response: Response,
    limit: usize,
    secrets: &Secrets,
    sink: &DeltaSink,
) -> Result<ModelReply, AttemptError> {
    let mut events = EventParser::default();
    let mut partial = PartialReply::default();
    loop {
        let bytes = match response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => break,
            // Only the usage can be missing.
            Err(_) if partial.has_finished() => break,
            Err(error) => return Err(AttemptError::transport(error)),
        };
        for data in events.feed(&bytes) {
            if data.trim_ascii() == b"[DONE]" {
                return partial.into_reply();
            }
            partial.take(&data, secrets, sink)?;
        }
        if events.buffered_len() + partial.received_len() > limit {
            return Err(AttemptError::too_large(limit));
        }
    }
    finish(events, partial, secrets, sink)
}

// The stream ended without `[DONE]`. Some servers never send it, nor end the last event; an incomplete
// event is ignored.
fn finish(
    events: EventParser,
    mut partial: PartialReply,
    secrets: &Secrets,
    sink: &DeltaSink,
) -> Result<ModelReply, AttemptError> {
    let rest = events.rest().unwrap_or_default();
    let is_done = rest.trim_ascii() == b"[DONE]";
    if serde_json::from_slice::<Value>(&rest).is_ok() {
        partial.take(&rest, secrets, sink)?;
    }
    if is_done || partial.has_finished() {
        return partial.into_reply();
    }
    Err(AttemptError::interrupted())
}

/// The data of one event.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    model: Value,
    #[serde(default)]
    usage: Value,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Piece>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Piece {
    content: Option<Content>,
    refusal: Option<String>,
    #[serde(flatten)]
    calls: CallMembers,
}

impl Piece {
    // Some servers send both members, with the same text.
    fn thought(&self) -> &str {
        let thoughts = &self.calls.thoughts;
        let members = [&thoughts.reasoning_content, &thoughts.reasoning];
        let mut texts = members.into_iter().filter_map(Value::as_str);
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    }
}

/// A partially received reply.
#[derive(Default)]
struct PartialReply {
    text: String,
    refusal: String,
    finish_reason: Option<String>,
    usage: Value,
    has_choice: bool,
    calls: PartialCalls,
    names: ReplyNames,
}

impl PartialReply {
    fn take(
        &mut self,
        data: &[u8],
        secrets: &Secrets,
        sink: &DeltaSink,
    ) -> Result<(), AttemptError> {
        if data.trim_ascii().is_empty() {
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_slice(data).map_err(|_| {
            let came = secrets.quote(&String::from_utf8_lossy(data));
            AttemptError::protocol(format!("expected a piece of a chat completion, got: {came}"))
        })?;
        if !chunk.error.is_null() {
            return Err(AttemptError::reported(&chunk.error, secrets));
        }
        self.names.read(&json!({ "id": chunk.id, "model": chunk.model }));
        if !chunk.usage.is_null() {
            self.usage = chunk.usage;
        }
        if let Some(choice) = chunk.choices.unwrap_or_default().into_iter().next() {
            self.take_choice(choice, sink);
        }
        Ok(())
    }

    fn take_choice(&mut self, choice: Choice, sink: &DeltaSink) {
        self.has_choice = true;
        // Some servers send "" until the reply ends.
        let reason = choice.finish_reason.filter(|reason| !reason.is_empty());
        self.finish_reason = reason.or(self.finish_reason.take());
        let Some(piece) = choice.delta else {
            return;
        };
        self.take_thought(piece.thought(), sink);
        self.calls.take(piece.calls);
        self.take_text(&piece.content.map(Content::into_text).unwrap_or_default(), sink);
        self.take_refusal(&piece.refusal.unwrap_or_default(), sink);
    }

    fn take_thought(&mut self, thought: &str, sink: &DeltaSink) {
        if self.refusal.is_empty() {
            sink.push_thought(thought);
        }
    }

    fn take_text(&mut self, text: &str, sink: &DeltaSink) {
        self.text.push_str(text);
        if self.refusal.is_empty() {
            sink.push(text);
        }
    }

    // A refusal replaces the text, even after the start of an answer.
    fn take_refusal(&mut self, refusal: &str, sink: &DeltaSink) {
        if self.refusal.is_empty() && !refusal.is_empty() {
            sink.restart();
        }
        self.refusal.push_str(refusal);
        sink.push(refusal);
    }

    fn has_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    fn received_len(&self) -> usize {
        self.text.len() + self.refusal.len() + self.calls.received_len()
    }

    fn into_reply(self) -> Result<ModelReply, AttemptError> {
        if !self.has_choice {
            let message = "expected a chat completion, got a stream without one";
            return Err(AttemptError::protocol(message.to_owned()));
        }
        let reason = self.finish_reason.as_deref();
        let reply = wire::read_answer(self.text, self.refusal, reason);
        let reply = wire::with_calls(reply, self.calls.into_calls());
        Ok(self.names.add_to(reply.usage(read_chat_usage(&self.usage))))
    }
}
