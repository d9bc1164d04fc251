//! A call of a tool, as the history shows it.

use std::time::Duration;

use cot_model::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attempt::{Answer, AttemptHistory};

/// A call of a tool in a visit of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCallHistory {
    /// The number of the call within the visit, from 1.
    pub number: u32,
    /// The name of the tool. Empty if it is not known yet.
    pub tool: String,
    /// The arguments as the model wrote them, or as the state had them.
    pub arguments: String,
    /// The answer of the person who was asked whether to make the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Value>,
    /// The result as JSON. `None` for a call that failed or is not answered yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The error that the model received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The duration of the call.
    pub elapsed: Duration,
}

impl ToolCallHistory {
    pub(super) fn set_result(&mut self, result: Result<String, String>, elapsed: Duration) {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        (self.result, self.error, self.elapsed) = (result, error, elapsed);
    }

    /// Returns whether a call in a reply is this one.
    pub(super) fn is_of(&self, call: &ToolCall) -> bool {
        self.tool == call.name && self.arguments == call.arguments
    }

    /// Adds the answer to the call, or that to the question whether to make it, unless events have told the result.
    pub(super) fn add_answer(&mut self, attempt: AttemptHistory) {
        let AttemptHistory { answer: Some(answer), elapsed, .. } = attempt else { return };
        let result = match answer {
            Answer::Answered(approval) => {
                self.approval = Some(approval);
                return;
            }
            Answer::Returned(value) => Ok(value.to_string()),
            Answer::Failed(error) => Err(error),
            Answer::TimedOut => Err("no answer in time".to_owned()),
            Answer::Interrupted => Err("interrupted, and not made again".to_owned()),
            Answer::Replied { .. } => return,
        };
        if self.result.is_none() && self.error.is_none() {
            self.set_result(result, elapsed);
        }
    }
}
