//! Reading of streamed replies.

use std::sync::Arc;

use cot_model::{DeltaSink, FinishReason, ModelReply, Usage};
use futures_util::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent, MessageContent, StopReason, StreamEnd, ToolCall};
use serde_json::Value;

use super::{
    family::Family,
    fault, finish,
    raw::{self, FrameCollector},
    tools::read_calls,
    whole,
};
use crate::http::{AttemptError, CALL_BYTES, PartialCalls, ReplyNames, Secrets};

/// Reads a streamed reply to its end and passes its text and thoughts to the sink.
pub(super) async fn read(
    mut stream: ChatStream,
    tap: &Arc<FrameCollector>,
    mut partial: PartialReply<'_>,
) -> Result<ModelReply, AttemptError> {
    loop {
        let event = stream.next().await;
        for data in tap.take() {
            partial.read_event(&data)?;
        }
        match event {
            Some(Ok(ChatStreamEvent::Chunk(chunk))) => partial.take_text(&chunk.content)?,
            Some(Ok(ChatStreamEvent::ReasoningChunk(chunk))) => {
                partial.take_thought(&chunk.content)?;
            }
            Some(Ok(ChatStreamEvent::ToolCallChunk(chunk))) => partial.count(&chunk.tool_call)?,
            Some(Ok(ChatStreamEvent::End(end))) => return partial.into_reply(Some(end)),
            Some(Ok(_)) => {}
            // Only the usage can be missing.
            None | Some(Err(_)) if partial.has_finished() => return partial.into_reply(None),
            None => return Err(AttemptError::interrupted()),
            Some(Err(error)) => return Err(fault::convert_error(error, partial.secrets)),
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
    finish_reason: Option<StopReason>,
    has_choice: bool,
    /// The usage in the raw events.
    usage: Option<Usage>,
    /// The bytes of the thoughts, which are not kept.
    thought_len: usize,
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
            has_choice: false,
            usage: None,
            thought_len: 0,
            calls: PartialCalls::default(),
            last_call: (String::new(), 0, 0),
            names: ReplyNames::default(),
        }
    }

    /// Reads the fields of an event that `genai` omits. Fails for events that `genai` can't parse,
    /// since it would skip them and lose text.
    fn read_event(&mut self, data: &str) -> Result<(), AttemptError> {
        if data.len() > self.limit {
            return Err(AttemptError::too_large(self.limit));
        }
        let said: Value = match serde_json::from_str(data) {
            Ok(said) => said,
            Err(_) if self.has_finished() => return Ok(()),
            Err(error) if error.is_eof() => return Err(AttemptError::interrupted()),
            Err(_) => return Err(self.unexpected(data)),
        };
        self.names.read(&said);
        if let Some(error) = raw::error(&said) {
            return Err(AttemptError::reported(error, self.secrets));
        }
        if raw::has_odd_text(&said) {
            return Err(self.unexpected(data));
        }
        self.read_omitted_fields(&said)
    }

    fn unexpected(&self, data: &str) -> AttemptError {
        let came = self.secrets.quote(data);
        AttemptError::protocol(format!("expected a piece of a reply, got: {came}"))
    }

    fn read_omitted_fields(&mut self, said: &Value) -> Result<(), AttemptError> {
        self.is_blocked |= raw::is_blocked(said);
        self.has_choice |= raw::has_choice(said);
        self.usage = raw::usage(said).or(self.usage);
        if self.family.is_chat() {
            let reason = raw::finish_reason(said).map(|reason| reason.to_owned().into());
            self.finish_reason = reason.or(self.finish_reason.take());
            self.calls
                .take(raw::call_members(said).map_err(|_| self.unexpected(&said.to_string()))?);
            self.check_size()?;
        }
        self.take_refusal(&raw::refusal(said))
    }

    fn take_thought(&mut self, thought: &str) -> Result<(), AttemptError> {
        self.thought_len += thought.len();
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
        let texts = self.text.len() + self.refusal.len() + self.thought_len;
        let calls = self.calls.received_len() + self.last_call.1 + self.last_call.2;
        let received = texts + calls;
        if received <= self.limit { Ok(()) } else { Err(AttemptError::too_large(self.limit)) }
    }

    fn has_finished(&self) -> bool {
        self.finish_reason.is_some() || self.is_blocked
    }

    fn into_reply(self, end: Option<StreamEnd>) -> Result<ModelReply, AttemptError> {
        let end = end.unwrap_or_default();
        let usage = whole::choose_usage(end.captured_usage.as_ref(), self.usage, self.family);
        if !self.refusal.is_empty() {
            return Ok(ModelReply::new(self.refusal).finish(FinishReason::Refusal).usage(usage));
        }
        let reason = end.captured_stop_reason.or(self.finish_reason);
        let finish = match reason {
            _ if self.is_blocked => FinishReason::Refusal,
            Some(reason) => finish::read_reason(&reason, self.family)?,
            None if !self.family.is_chat() => return Err(AttemptError::interrupted()),
            None if self.has_choice => FinishReason::Stop,
            None => {
                let message = "expected a chat completion, got a stream without one";
                return Err(AttemptError::protocol(message.to_owned()));
            }
        };
        let calls = if self.family.is_chat() {
            whole::own_names(self.calls.into_calls())
        } else {
            read_calls(end.captured_content.map(MessageContent::into_parts).unwrap_or_default())
        };
        let reply = ModelReply::new(self.text).finish(finish).usage(usage).tool_calls(calls);
        Ok(self.names.add_to(reply))
    }
}
