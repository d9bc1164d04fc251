//! The reply to a question.

use cot_macros::CotOutput;
use cot_model::{FinishReason, ModelReply};
use cot_schema::internal::truncate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum length of the reply to a question that a run asks. A longer one is cut off.
pub const MAX_REPLY_BYTES: usize = 900 * 1024;

/// The reply to a question: the output of the task of [`Reason`](super::Reason).
///
/// Any text is one. The [`Machine`](super::Machine) that is the state of the process has its steps and its
/// conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::core)]
#[schemars(description = "The reply to a question.")]
pub struct Answer {
    /// The complete text.
    pub text: String,
    /// Whether the text was cut off, by the limit of tokens or after [`MAX_REPLY_BYTES`].
    #[schemars(description = "Whether the text was cut off.")]
    #[serde(default)]
    pub is_truncated: bool,
}

impl Answer {
    pub(super) fn from_reply(reply: &ModelReply) -> Self {
        let text = truncate(&reply.text, MAX_REPLY_BYTES);
        let is_truncated = reply.finish == FinishReason::Length || text.len() < reply.text.len();
        Self { text: text.to_owned(), is_truncated }
    }

    /// Returns why the model stopped.
    pub(super) const fn finish(&self) -> FinishReason {
        if self.is_truncated { FinishReason::Length } else { FinishReason::Stop }
    }
}
