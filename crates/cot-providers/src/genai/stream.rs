//! Replies that come in as a stream.

use std::sync::Arc;

use cot_model::{DeltaSink, FinishReason, ModelReply, Usage};
use futures_util::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent, StopReason, StreamEnd};
use serde_json::Value;

use super::{
    family::Family,
    fault, finish,
    raw::{self, Tap},
    whole,
};
use crate::http::{Failure, Secrets};

/// Reads a streamed reply to its end, and hands on its text meanwhile.
pub(super) async fn read(
    mut stream: ChatStream,
    tap: &Arc<Tap>,
    mut partial: Partial<'_>,
) -> Result<ModelReply, Failure> {
    loop {
        let event = stream.next().await;
        for data in tap.take() {
            partial.see(&data)?;
        }
        match event {
            Some(Ok(ChatStreamEvent::Chunk(chunk))) => partial.take_text(&chunk.content)?,
            Some(Ok(ChatStreamEvent::End(end))) => return partial.into_reply(Some(end)),
            Some(Ok(_)) => {}
            // Nothing is missing but the usage, perhaps.
            None | Some(Err(_)) if partial.has_finished() => return partial.into_reply(None),
            None => return Err(Failure::broken_off()),
            Some(Err(error)) => return Err(fault::failure(error, partial.secrets)),
        }
    }
}

/// The reply as far as it has come in.
pub(super) struct Partial<'a> {
    family: Family,
    limit: usize,
    secrets: &'a Secrets,
    sink: &'a DeltaSink,
    text: String,
    refusal: String,
    is_blocked: bool,
    /// Of chat completions alone: other streams have an event that ends them.
    finish_reason: Option<StopReason>,
    has_choice: bool,
    usage: Usage,
}

impl<'a> Partial<'a> {
    /// No more than `limit` bytes are kept, of text or of one event.
    pub(super) fn new(
        family: Family,
        limit: usize,
        secrets: &'a Secrets,
        sink: &'a DeltaSink,
    ) -> Self {
        let (text, refusal) = (String::new(), String::new());
        let usage = Usage::of_call(0, 0);
        let (is_blocked, finish_reason, has_choice) = (false, None, false);
        Self {
            family,
            limit,
            secrets,
            sink,
            text,
            refusal,
            is_blocked,
            finish_reason,
            has_choice,
            usage,
        }
    }

    /// Looks at an event for what `genai` leaves out. Those that it can't read it passes over, where
    /// text would be missing then.
    fn see(&mut self, data: &str) -> Result<(), Failure> {
        if data.len() > self.limit {
            return Err(Failure::too_large(self.limit));
        }
        let said: Value = match serde_json::from_str(data) {
            Ok(said) => said,
            Err(_) if self.has_finished() => return Ok(()),
            Err(error) if error.is_eof() => return Err(Failure::broken_off()),
            Err(_) => return Err(self.unexpected(data)),
        };
        if let Some(error) = raw::error(&said) {
            return Err(Failure::reported(error, self.secrets));
        }
        if raw::has_odd_text(&said) {
            return Err(self.unexpected(data));
        }
        self.take_what_is_left_out(&said)
    }

    fn unexpected(&self, data: &str) -> Failure {
        let came = self.secrets.quote(data);
        Failure::protocol(format!("expected a piece of a reply, got: {came}"))
    }

    fn take_what_is_left_out(&mut self, said: &Value) -> Result<(), Failure> {
        self.is_blocked |= raw::is_blocked(said);
        self.has_choice |= raw::has_choice(said);
        self.usage = raw::usage(said).unwrap_or(self.usage);
        if self.family.is_chat() {
            let reason = raw::finish_reason(said).map(|reason| reason.to_owned().into());
            self.finish_reason = reason.or(self.finish_reason.take());
        }
        self.take_refusal(&raw::refusal(said))
    }

    fn take_text(&mut self, text: &str) -> Result<(), Failure> {
        self.text.push_str(text);
        if self.refusal.is_empty() {
            self.sink.push(text);
        }
        self.check_size()
    }

    // A refusal takes the place of the text, also where the model had begun to answer.
    fn take_refusal(&mut self, refusal: &str) -> Result<(), Failure> {
        if self.refusal.is_empty() && !refusal.is_empty() {
            self.sink.restart();
        }
        self.refusal.push_str(refusal);
        self.sink.push(refusal);
        self.check_size()
    }

    fn check_size(&self) -> Result<(), Failure> {
        let fits = self.text.len() + self.refusal.len() <= self.limit;
        if fits { Ok(()) } else { Err(Failure::too_large(self.limit)) }
    }

    fn has_finished(&self) -> bool {
        self.finish_reason.is_some() || self.is_blocked
    }

    fn into_reply(self, end: Option<StreamEnd>) -> Result<ModelReply, Failure> {
        let end = end.unwrap_or_default();
        let usage = end.captured_usage.as_ref().map_or(self.usage, whole::read_usage);
        if !self.refusal.is_empty() {
            return Ok(ModelReply { text: self.refusal, finish: FinishReason::Refusal, usage });
        }
        let finish = match end.captured_stop_reason.or(self.finish_reason) {
            _ if self.is_blocked => FinishReason::Refusal,
            Some(reason) => finish::read_reason(&reason, self.family)?,
            None if !self.family.is_chat() => return Err(Failure::broken_off()),
            None if self.has_choice => FinishReason::Stop,
            None => {
                let message = "expected a chat completion, got a stream of none";
                return Err(Failure::protocol(message.to_owned()));
            }
        };
        Ok(ModelReply { text: self.text, finish, usage })
    }
}
