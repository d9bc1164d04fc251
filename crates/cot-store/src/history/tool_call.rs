//! A call of a tool, as the history shows it.

use std::time::Duration;

use cot_model::{ToolCall, ToolRound};
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
    /// The arguments as the model wrote them, or as the state had them; the beginning of long ones of a model without
    /// tool calls.
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
        self.tool == call.name
            && (self.arguments == call.arguments || is_beginning(&self.arguments, &call.arguments))
    }
}

/// Adds the answer to a call, or that to the question whether to make it, unless run events have told the result.
pub(super) fn add_answer(call: &mut ToolCallHistory, attempt: AttemptHistory) {
    let AttemptHistory { answer: Some(answer), elapsed, .. } = attempt else { return };
    let is_answered = call.result.is_some() || call.error.is_some();
    let result = match answer {
        Answer::Answered(approval) => {
            call.approval = Some(approval);
            return;
        }
        Answer::Returned(value) => Ok(value.to_string()),
        Answer::Failed(error) => Err(error),
        Answer::TimedOut => Err("no answer in time".to_owned()),
        Answer::Interrupted => Err("interrupted, and not made again".to_owned()),
        Answer::Replied { .. } => return,
    };
    if !is_answered {
        return call.set_result(result, elapsed);
    }
    if let (Some(beginning), Ok(whole)) = (&mut call.result, &result) {
        complete(beginning, whole);
    }
}

/// Completes the arguments of calls that are cut off in run events, from the reply that made the calls.
pub(super) fn complete_arguments(calls: &mut [ToolCallHistory], made: &[ToolCall]) {
    for ToolCall { name, arguments, .. } in made {
        let mut calls = calls.iter_mut().filter(|call| call.tool == *name);
        // Calls with the same beginning are in the same order.
        if let Some(call) = calls.find(|call| is_beginning(&call.arguments, arguments)) {
            complete(&mut call.arguments, arguments);
        }
    }
}

/// Completes the arguments of calls that the state held from the round in the output of their task.
pub(super) fn complete_from_output(calls: &mut [ToolCallHistory], output: Option<&Value>) {
    if calls.iter().any(|call| call.arguments.ends_with('…'))
        && let Some(Ok(round)) = output.map(ToolRound::deserialize)
    {
        let made: Vec<ToolCall> = round.calls.into_iter().map(|(call, _)| call).collect();
        complete_arguments(calls, &made);
    }
}

pub(super) fn complete(beginning: &mut String, whole: &str) {
    if is_beginning(beginning, whole) {
        whole.clone_into(beginning);
    }
}

/// Returns whether a text is the beginning of another as run events in journals have it.
fn is_beginning(text: &str, whole: &str) -> bool {
    text.strip_suffix('…').is_some_and(|beginning| text != whole && whole.starts_with(beginning))
}
