//! An attempt of a task, as the history shows it.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_engine::{CallKey, Event, Failure};
use cot_model::{FinishReason, PromptSegments, ToolCall, Usage};
use cot_reader::Repair;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    marks::CallMarks,
    record::{CallInfo, EventRecord},
};

/// One attempt of a task: the call, its result, and the issues found in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AttemptHistory {
    /// The number of the attempt within its visit of the task, from 1; in a for-each task, within its item.
    pub number: u32,
    /// The index of the item, in a for-each task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The key of the call; `None` for an attempt without a call, such as that of a sub-process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<CallKey>,
    /// The number of the journal's entry with the result. It is not serialized.
    #[serde(skip)]
    pub entry: Option<u64>,
    /// When the result arrived.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::millis::option")]
    pub at: Option<SystemTime>,
    /// The id of the engine that was called, if the task or the process names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The version of the program that made the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The prompt that was sent to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Arc<PromptSegments>>,
    /// The marks of trust that were in force when the model was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<CallMarks>,
    /// The result of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The result of the task's asynchronous check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Answer>,
    /// The repairs of the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// How the attempt failed; `None` for one that succeeded or was not processed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The reasons of the failure.
    #[serde(default, skip_serializing_if = "Issues::is_empty")]
    pub issues: Issues,
    /// The usage of the call.
    pub usage: Usage,
    /// The duration of the call, including its check.
    pub elapsed: Duration,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// A model answered.
    Replied {
        /// The complete text of the reply.
        text: String,
        /// Why the model stopped generating.
        finish: FinishReason,
        /// The tool calls that the run did not make: those that the function of a task with `read` receives.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    /// A person answered.
    Answered(Value),
    /// A function returned.
    Returned(Value),
    /// A model call or a function failed, with this error message.
    Failed(String),
    /// The time limit ended before there was a result.
    TimedOut,
    /// The program ended during a call that is made only once.
    Interrupted,
}

impl AttemptHistory {
    /// Converts the event of a call; `None` for an event that answers no call.
    #[doc(hidden)]
    #[must_use]
    pub fn from_event(EventRecord { at, asked, event }: EventRecord) -> Option<Self> {
        let CallInfo { key, engine, program, prompt, marks } = asked?;
        let (answer, usage, elapsed) = call_result(event)?;
        Some(Self {
            number: key.attempt(),
            item: key.item(),
            key: Some(key),
            at: Some(at),
            engine,
            program,
            prompt,
            marks,
            answer: Some(answer),
            usage,
            elapsed,
            ..Self::default()
        })
    }
}

fn call_result(event: Event) -> Option<(Answer, Usage, Duration)> {
    let no_usage = Usage::default();
    Some(match event {
        Event::Replied { reply, elapsed, .. } => {
            let (usage, finish) = (reply.usage, reply.finish);
            let answer = Answer::Replied { text: reply.text, finish, tool_calls: Vec::new() };
            (answer, usage, elapsed)
        }
        Event::Failed { error, elapsed, .. } => {
            (Answer::Failed(error.to_string()), no_usage, elapsed)
        }
        Event::Ran { result: Ok(value), elapsed, .. } => {
            (Answer::Returned(value), no_usage, elapsed)
        }
        Event::Ran { result: Err(error), elapsed, .. } => {
            (Answer::Failed(error.to_string()), no_usage, elapsed)
        }
        Event::Answered { answer, elapsed, .. } => (Answer::Answered(answer), no_usage, elapsed),
        Event::TimedOut { elapsed, .. } => (Answer::TimedOut, no_usage, elapsed),
        Event::Interrupted { .. } => (Answer::Interrupted, no_usage, Duration::ZERO),
        Event::Started { .. } | Event::Woken { .. } | Event::Cancelled { .. } => return None,
    })
}
