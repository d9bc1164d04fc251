//! Reading of streamed replies.

use cot_model::{DeltaSink, FinishReason, ModelReply, Usage};
use reqwest::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    sse::{Event, EventParser},
    wire::{self, Content},
};
use crate::http::{
    AttemptError, CallMembers, PartialCalls, ReplyNames, Secrets, Waits, chat_usage, read_finish,
    reported_error,
};

/// Reads a streamed reply to its end and passes its text and thoughts to the sink.
///
/// At most `limit` bytes are buffered. The JSON around the text in each event does not count, since it
/// is many times longer than the text.
pub(super) async fn read(
    response: Response,
    waits: Waits<'_>,
    limit: usize,
    secrets: &Secrets,
    sink: &DeltaSink,
) -> Result<ModelReply, AttemptError> {
    let mut partial = PartialReply::default();
    match read_events(response, waits, limit, &mut partial, (secrets, sink)).await {
        Ok(()) => partial.into_reply(sink),
        Err(failure) => Err(failure.with_usage(partial.usage)),
    }
}

/// Reads the events of a stream up to the end of the reply.
async fn read_events(
    mut response: Response,
    mut waits: Waits<'_>,
    limit: usize,
    partial: &mut PartialReply,
    (secrets, sink): (&Secrets, &DeltaSink),
) -> Result<(), AttemptError> {
    let mut events = EventParser::default();
    loop {
        let bytes = match waits.next(response.chunk()).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return partial.take_rest(events.rest(), secrets, sink),
            // Only the usage can be missing.
            Err(_) if partial.has_finished() => return Ok(()),
            Err(failure) => return Err(failure),
        };
        waits.begin();
        for event in events.feed(&bytes) {
            partial.take(&event, secrets, sink)?;
            if partial.is_done {
                return Ok(());
            }
        }
        if events.buffered_len() + partial.received_len() > limit {
            return Err(AttemptError::too_large(limit));
        }
    }
}

/// The data of one event.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
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

/// A partially received reply.
#[derive(Default)]
struct PartialReply {
    text: String,
    thoughts: String,
    refusal: String,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    has_choice: bool,
    /// Whether the last count of tokens is that of the whole reply: no piece of the reply came with it or after it.
    is_counted: bool,
    /// Whether the server marked the end of the stream.
    is_done: bool,
    calls: PartialCalls,
    names: ReplyNames,
}

impl PartialReply {
    fn take(
        &mut self,
        event: &Event,
        secrets: &Secrets,
        sink: &DeltaSink,
    ) -> Result<(), AttemptError> {
        let (Event::Data(data) | Event::Error(data)) = event;
        let data = data.trim_ascii();
        if data.is_empty() || data == b"[DONE]" {
            self.is_done |= !data.is_empty();
            return Ok(());
        }
        let said = serde_json::from_slice::<Value>(data);
        if let Event::Error(_) = event {
            let said = said.unwrap_or_else(|_| String::from_utf8_lossy(data).into());
            return Err(AttemptError::reported(reported_error(&said).unwrap_or(&said), secrets));
        }
        let unexpected = |_| {
            let came = secrets.quote(&String::from_utf8_lossy(data));
            AttemptError::protocol(format!("expected a piece of a chat completion, got: {came}"))
        };
        self.take_chunk(&said.map_err(unexpected)?, unexpected, secrets, sink)
    }

    fn take_chunk(
        &mut self,
        said: &Value,
        unexpected: impl Fn(serde_json::Error) -> AttemptError,
        secrets: &Secrets,
        sink: &DeltaSink,
    ) -> Result<(), AttemptError> {
        let usage = chat_usage(said);
        self.usage = usage.or(self.usage);
        if let Some(error) = reported_error(said) {
            return Err(AttemptError::reported(error, secrets));
        }
        let chunk = Chunk::deserialize(said).map_err(unexpected)?;
        self.names.read(&json!({ "id": said["id"], "model": said["model"] }));
        let choice = chunk.choices.unwrap_or_default().into_iter().next();
        self.has_choice |= choice.is_some();
        self.is_counted = choice.is_none() && (usage.is_some() || self.is_counted);
        choice.into_iter().for_each(|choice| self.take_choice(choice, sink));
        Ok(())
    }

    fn take_choice(&mut self, choice: Choice, sink: &DeltaSink) {
        // Some servers send "" until the reply ends.
        let reason = choice.finish_reason.filter(|reason| !reason.is_empty());
        self.finish_reason = reason.or(self.finish_reason.take());
        let Some(piece) = choice.delta else {
            return;
        };
        self.take_thought(piece.calls.thoughts.text(), sink);
        self.calls.take(piece.calls);
        self.take_text(&piece.content.map(Content::into_text).unwrap_or_default(), sink);
        self.take_refusal(&piece.refusal.unwrap_or_default(), sink);
    }

    // Some servers never send `[DONE]`, nor end the last event; an incomplete event is ignored.
    fn take_rest(
        &mut self,
        rest: Option<Event>,
        secrets: &Secrets,
        sink: &DeltaSink,
    ) -> Result<(), AttemptError> {
        let is_whole = |event: &Event| match event {
            Event::Data(data) => serde_json::from_slice::<Value>(data).is_ok() || data == b"[DONE]",
            Event::Error(_) => true,
        };
        rest.filter(is_whole).map_or(Ok(()), |event| self.take(&event, secrets, sink))
    }

    fn take_thought(&mut self, thought: &str, sink: &DeltaSink) {
        self.thoughts.push_str(thought);
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

    fn into_reply(self, sink: &DeltaSink) -> Result<ModelReply, AttemptError> {
        let is_counted = self.has_choice && self.is_done && self.is_counted;
        let finish = read_finish(self.finish_reason.as_deref(), is_counted);
        let said = wire::Said {
            text: self.text,
            thoughts: self.thoughts,
            refusal: self.refusal,
            calls: self.calls.into_calls(),
        };
        let had_text = !said.text.is_empty();
        let reply = wire::into_reply(said, finish, self.usage)?;
        if !had_text && reply.finish != FinishReason::Refusal {
            sink.push(&reply.text);
        }
        Ok(self.names.add_to(reply))
    }
}
