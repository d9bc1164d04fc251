//! The parts of model server protocols that the fault matrix needs.

use std::time::Duration;

use cot_model::LanguageModel;

/// A client with one protocol.
pub(crate) struct Wire {
    /// The name in messages of failed tests.
    pub(crate) name: &'static str,
    pub(crate) model: fn(&str, Limits) -> Box<dyn LanguageModel>,
    /// The first events of a stream.
    pub(crate) start: String,
    /// The event with a piece of text.
    pub(crate) text: fn(&str) -> String,
    /// The end of a complete stream, with 11 input tokens and 7 output tokens.
    pub(crate) end: String,
    /// An event that reports a transient failure.
    pub(crate) error: String,
    /// A keep-alive without content.
    pub(crate) keep_alive: &'static str,
    /// An event that is not in the protocol.
    pub(crate) garbage: &'static str,
}

/// The limits of the clients in the matrix.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) timeout: Duration,
    pub(crate) max_bytes: usize,
    pub(crate) retries: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), max_bytes: 1 << 22, retries: 0 }
    }
}

impl Wire {
    /// The whole stream of a reply.
    pub(crate) fn stream(&self, pieces: &[&str]) -> String {
        let pieces: String = pieces.iter().copied().map(self.text).collect();
        format!("{}{pieces}{}", self.start, self.end)
    }
}
