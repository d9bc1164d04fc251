//! Reading of streamed chat completions.

use cot_model::{DeltaSink, FinishReason, ModelReply, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::reply::{self, Content};
use crate::http::{
    AttemptError, CallMembers, PartialCalls, chat_usage,
    client::{PartialReply, UnexpectedError},
    read_finish,
};

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

/// A chat completion as far as it was received.
#[derive(Default)]
pub(super) struct PartialCompletion {
    text: String,
    thoughts: String,
    refusal: String,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    has_choice: bool,
    /// Whether the last count of tokens is that of the whole reply: no piece of the reply came with it or after it.
    is_counted: bool,
    calls: PartialCalls,
}

impl PartialReply for PartialCompletion {
    fn begin(_: &[Value]) -> Self {
        Self::default()
    }

    fn count(&mut self, said: &Value) {
        self.usage = chat_usage(said).or(self.usage);
    }

    fn usage(&self) -> Option<Usage> {
        self.usage
    }

    fn take(&mut self, said: &Value, sink: &DeltaSink) -> Result<(), UnexpectedError> {
        let choice = Chunk::deserialize(said)?.choices.unwrap_or_default().into_iter().next();
        self.has_choice |= choice.is_some();
        self.is_counted = choice.is_none() && (chat_usage(said).is_some() || self.is_counted);
        choice.into_iter().for_each(|choice| self.take_choice(choice, sink));
        Ok(())
    }

    fn has_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    fn received_len(&self) -> usize {
        self.text.len() + self.refusal.len() + self.calls.received_len()
    }

    fn into_reply(self, is_done: bool, sink: &DeltaSink) -> Result<ModelReply, AttemptError> {
        let is_counted = self.has_choice && is_done && self.is_counted;
        let finish = read_finish(self.finish_reason.as_deref(), is_counted);
        let said = reply::Said {
            text: self.text,
            thoughts: self.thoughts,
            refusal: self.refusal,
            calls: self.calls.into_calls(),
        };
        let had_text = !said.text.is_empty();
        let reply = reply::into_reply(said, finish, self.usage)?;
        if !had_text && reply.finish != FinishReason::Refusal {
            sink.push(&reply.text);
        }
        Ok(reply)
    }
}

impl PartialCompletion {
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
}
