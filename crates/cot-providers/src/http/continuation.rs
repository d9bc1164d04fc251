//! Replies that a server pauses, and the requests that continue them.

use cot_model::{DeltaSink, ModelReply, Usage};
use serde_json::Value;

use super::{AttemptError, pause::Pause, retry::together};

/// How often a reply is continued.
const MAX_PAUSES: u32 = 10;

/// The parts of a reply that were received before the server paused it.
#[derive(Default)]
pub(crate) struct Continuation {
    pause: Option<Box<Pause>>,
    /// What the parts cost.
    spent: Option<Usage>,
    pauses: u32,
}

impl Continuation {
    /// Takes the part of the reply with which an attempt ended, if it is one and the limit is not reached.
    pub(crate) fn take(&mut self, failure: &mut AttemptError) -> bool {
        if self.pauses >= MAX_PAUSES {
            return false;
        }
        let Some(pause) = failure.pause.take() else { return false };
        self.pause = Some(pause);
        self.spent = Some(self.with_spent(failure.usage()));
        self.pauses += 1;
        true
    }

    /// Returns the content so far.
    pub(crate) fn content(&self) -> &[Value] {
        self.pause.as_deref().map_or(&[], |pause| &pause.content)
    }

    /// Passes the text of a reply to a sink, without what was passed before its pauses.
    pub(crate) fn push_rest(&self, text: &str, sink: &DeltaSink) {
        match text.strip_prefix(self.text()) {
            Some(rest) => sink.push(rest),
            None => {
                sink.restart();
                sink.push(text);
            }
        }
    }

    /// Takes the text of a failed attempt back from a sink, down to that of the earlier parts.
    pub(crate) fn restart(&self, sink: &DeltaSink) {
        sink.restart();
        sink.push(self.text());
    }

    /// Adds what the earlier parts cost to the reply.
    pub(crate) fn complete(&self, reply: ModelReply) -> ModelReply {
        ModelReply { usage: self.with_spent(reply.usage), ..reply }
    }

    /// Adds what the earlier parts cost to a failure.
    pub(crate) fn fail(&self, failure: AttemptError) -> AttemptError {
        let usage = self.with_spent(failure.usage());
        failure.with_usage(Some(usage))
    }

    fn text(&self) -> &str {
        self.pause.as_deref().map_or("", |pause| &pause.text)
    }

    fn with_spent(&self, usage: Usage) -> Usage {
        together(self.spent, usage)
    }
}
