//! Reading of streamed replies.

use std::sync::Arc;

use cot_model::{DeltaSink, FinishReason, ModelReply, Usage};
use futures_util::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent, MessageContent, StreamEnd, ToolCall};
use serde_json::Value;

use super::{
    family::Family,
    fault,
    raw::{self, Frame, FrameCollector, Frames},
    tools::read_calls,
    whole,
};
use crate::http::{
    AttemptError, CALL_BYTES, PartialCalls, ReplyNames, Secrets, Waits, check_names, read_finish,
    reported_error,
};

/// Reads a streamed reply to its end and passes its text and thoughts to the sink.
pub(super) async fn read(
    stream: ChatStream,
    tap: &Arc<FrameCollector>,
    waits: Waits<'_>,
    mut partial: PartialReply<'_>,
) -> Result<ModelReply, AttemptError> {
    match read_events(stream, tap, waits, &mut partial).await {
        Ok(end) => partial.into_reply(end),
        Err(failure) => Err(failure.with_usage(partial.usage)),
    }
}

/// Reads the events of a stream up to the end of the reply.
async fn read_events(
    mut stream: ChatStream,
    tap: &Arc<FrameCollector>,
    mut waits: Waits<'_>,
    partial: &mut PartialReply<'_>,
) -> Result<Option<StreamEnd>, AttemptError> {
    loop {
        let event = waits.within_limit(stream.next()).await;
        let frames = tap.take();
        let is_alive = frames.is_alive;
        partial.read_frames(frames)?;
        if is_alive {
            waits.begin();
        }
        match event {
            None if partial.has_finished() => return Ok(None),
            None if is_alive => {}
            None => return Err(waits.timed_out()),
            Some(Some(Ok(ChatStreamEvent::End(end)))) => return Ok(Some(end)),
            Some(Some(Ok(event))) => partial.take(&event)?,
            // Only the usage can be missing.
            Some(_) if partial.has_finished() => return Ok(None),
            Some(None) => return Err(AttemptError::interrupted()),
            Some(Some(Err(error))) => {
                return Err(fault::convert_error(error, waits.has_begun(), partial.secrets));
            }
        }
    }
}

/// A partially received reply.
pub(super) struct PartialReply<'a> {
    family: Family,
    limit: usize,
    secrets: &'a Secrets,
    sink: &'a DeltaSink,
    text: String,
    refusal: String,
    is_blocked: bool,
    /// Only for chat completions; other streams end with an event.
    finish_reason: Option<String>,
    /// The usage in the raw events.
    usage: Option<Usage>,
    has_choice: bool,
    /// Whether the last count of tokens is that of a whole chat completion: no piece came with it or after it.
    is_counted: bool,
    /// Whether the server marked the end of the stream.
    is_done: bool,
    thoughts: String,
    /// The calls of chat completions; those of other streams are in the event at the end.
    calls: PartialCalls,
    /// The last counted call of another stream: its id, the bytes of its arguments, and those of the calls before.
    last_call: (String, usize, usize),
    names: ReplyNames,
}

impl<'a> PartialReply<'a> {
    /// Creates an empty reply. `limit` bounds the bytes of the text with the thoughts, and of one event.
    pub(super) fn new(
        family: Family,
        limit: usize,
        secrets: &'a Secrets,
        sink: &'a DeltaSink,
    ) -> Self {
        Self {
            family,
            limit,
            secrets,
            sink,
            text: String::new(),
            refusal: String::new(),
            is_blocked: false,
            finish_reason: None,
            usage: None,
            has_choice: false,
            is_counted: false,
            is_done: false,
            thoughts: String::new(),
            calls: PartialCalls::default(),
            last_call: (String::new(), 0, 0),
            names: ReplyNames::default(),
        }
    }

    /// Reads the fields of the raw events that `genai` omits.
    fn read_frames(&mut self, frames: Frames) -> Result<(), AttemptError> {
        frames.events.iter().try_for_each(|frame| self.read_frame(frame))?;
        self.is_done |= frames.is_done;
        Ok(())
    }

    /// Reads the fields of an event that `genai` omits. Fails for events that `genai` can't parse,
    /// since it would skip them and lose text.
    fn read_frame(&mut self, Frame { data, is_error }: &Frame) -> Result<(), AttemptError> {
        if data.len() > self.limit {
            return Err(AttemptError::too_large(self.limit));
        }
        let said: Value = match serde_json::from_str(data) {
            Ok(said) => said,
            Err(_) if *is_error => data.as_str().into(),
            Err(_) if self.has_finished() => return Ok(()),
            Err(error) if error.is_eof() => return Err(AttemptError::interrupted()),
            Err(_) => return Err(self.unexpected(data)),
        };
        self.names.read(&said);
        let usage = raw::usage(&said);
        self.usage = usage.or(self.usage);
        let has_choice = raw::has_choice(&said);
        self.has_choice |= has_choice;
        self.is_counted = !has_choice && (usage.is_some() || self.is_counted);
        if let Some(error) = reported_error(&said).or(is_error.then_some(&said)) {
            return Err(AttemptError::reported(error, self.secrets));
        }
        if raw::has_odd_text(&said) {
            return Err(self.unexpected(data));
        }
        self.read_omitted_fields(&said)
    }

    fn take(&mut self, event: &ChatStreamEvent) -> Result<(), AttemptError> {
        match event {
            ChatStreamEvent::Chunk(chunk) => self.take_text(&chunk.content),
            ChatStreamEvent::ReasoningChunk(chunk) => self.take_thought(&chunk.content),
            ChatStreamEvent::ToolCallChunk(chunk) => self.count(&chunk.tool_call),
            _ => Ok(()),
        }
    }

    fn unexpected(&self, data: &str) -> AttemptError {
        let came = self.secrets.quote(data);
        AttemptError::protocol(format!("expected a piece of a reply, got: {came}"))
    }

    fn read_omitted_fields(&mut self, said: &Value) -> Result<(), AttemptError> {
        self.is_blocked |= raw::is_blocked(said);
        if self.family.is_chat() {
            let reason = raw::finish_reason(said).map(str::to_owned);
            self.finish_reason = reason.or(self.finish_reason.take());
            self.calls
                .take(raw::call_members(said).map_err(|_| self.unexpected(&said.to_string()))?);
            self.check_size()?;
        }
        self.take_refusal(&raw::refusal(said))
    }

    fn take_thought(&mut self, thought: &str) -> Result<(), AttemptError> {
        self.thoughts.push_str(thought);
        if self.refusal.is_empty() {
            self.sink.push_thought(thought);
        }
        self.check_size()
    }

    fn take_text(&mut self, text: &str) -> Result<(), AttemptError> {
        self.text.push_str(text);
        if self.refusal.is_empty() {
            self.sink.push(text);
        }
        self.check_size()
    }

    // A refusal replaces the text, even after the start of an answer.
    fn take_refusal(&mut self, refusal: &str) -> Result<(), AttemptError> {
        if self.refusal.is_empty() && !refusal.is_empty() {
            self.sink.restart();
        }
        self.refusal.push_str(refusal);
        self.sink.push(refusal);
        self.check_size()
    }

    /// Counts a piece of a call of another protocol than chat completions. It has the arguments so far.
    fn count(&mut self, call: &ToolCall) -> Result<(), AttemptError> {
        if self.family.is_chat() {
            return Ok(());
        }
        let len = match &call.fn_arguments {
            Value::String(text) => text.len(),
            whole => whole.to_string().len(),
        };
        let (id, last, before) = &mut self.last_call;
        if *id != call.call_id {
            *before += *last + CALL_BYTES;
            id.clone_from(&call.call_id);
        }
        *last = len;
        self.check_size()
    }

    fn check_size(&self) -> Result<(), AttemptError> {
        let texts = self.text.len() + self.refusal.len() + self.thoughts.len();
        let calls = self.calls.received_len() + self.last_call.1 + self.last_call.2;
        let received = texts + calls;
        if received <= self.limit { Ok(()) } else { Err(AttemptError::too_large(self.limit)) }
    }

    fn has_finished(&self) -> bool {
        self.finish_reason.is_some() || self.is_blocked
    }

    fn into_reply(self, end: Option<StreamEnd>) -> Result<ModelReply, AttemptError> {
        let end = end.unwrap_or_default();
        let counted = end.captured_usage.as_ref().and_then(whole::read_usage);
        let is_chat = self.family.is_chat();
        let known = if is_chat { self.usage.or(counted) } else { counted.or(self.usage) };
        let failed = |failure: AttemptError| failure.with_usage(known);
        let usage = known.unwrap_or(Usage::uncounted_call());
        if !self.refusal.is_empty() {
            return Ok(ModelReply::new(self.refusal).finish(FinishReason::Refusal).usage(usage));
        }
        let reason = end.captured_stop_reason.as_ref().map(|reason| reason.raw());
        let reason = reason.or(self.finish_reason.as_deref());
        let is_counted = self.has_choice && self.is_done && self.is_counted;
        let finish = if self.is_blocked {
            FinishReason::Refusal
        } else {
            read_finish(reason, is_counted).map_err(failed)?
        };
        let calls = if is_chat {
            whole::own_names(self.calls.into_calls().map_err(failed)?)
        } else {
            read_calls(end.captured_content.map(MessageContent::into_parts).unwrap_or_default())
        };
        check_names(&calls).map_err(failed)?;
        let reply = ModelReply::new(self.text).finish(finish).usage(usage);
        let had_text = !reply.text.is_empty();
        let thoughts = if is_chat { self.thoughts.as_str() } else { "" };
        let reply = whole::with_calls(reply, calls, thoughts);
        if !had_text {
            self.sink.push(&reply.text);
        }
        Ok(self.names.add_to(reply))
    }
}
