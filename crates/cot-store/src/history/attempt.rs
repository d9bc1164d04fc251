//! An attempt, put together from the event that ended it and what was noted of it.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_engine::{CallKey, Event, Failure};
use cot_model::{FinishReason, PromptSegments, Usage};
use cot_reader::Repair;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::record::{Asked, EventRecord};

/// Something that was asked once, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AttemptHistory {
    /// Its number within the visit of the task, from 1; in a for-each task, within its item.
    pub number: u32,
    /// The number of the item, in a for-each task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// What the call is; none of an attempt that needed no call, as one at a sub-process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<CallKey>,
    /// When the answer came.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::millis::option")]
    pub at: Option<SystemTime>,
    /// The engine that was asked, where the task or the process names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What the model was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Arc<PromptSegments>>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// What the task's asynchronous check said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Answer>,
    /// What had to be mended in the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
    /// In which way it failed; none of an attempt that was good, or has not been looked at yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What was wrong.
    #[serde(default, skip_serializing_if = "Issues::is_empty")]
    pub issues: Issues,
    /// What it consumed.
    pub usage: Usage,
    /// How long it took.
    pub elapsed: Duration,
}

/// What came back of something that was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Answer {
    /// A model answered.
    Replied {
        /// What it said, all of it.
        text: String,
        /// Why it stopped.
        finish: FinishReason,
    },
    /// A person answered.
    Answered(Value),
    /// A function returned.
    Returned(Value),
    /// A model could not be reached, or a function failed: why.
    Failed(String),
    /// No answer came in time.
    TimedOut,
}

impl AttemptHistory {
    /// What an event tells; none of one that answers no call.
    pub(super) fn of(EventRecord { at, asked, event }: EventRecord) -> Option<Self> {
        let Asked { key, engine, prompt } = asked?;
        let (answer, usage, elapsed) = answer(event)?;
        Some(Self {
            number: key.attempt(),
            item: key.item(),
            key: Some(key),
            at: Some(at),
            engine,
            prompt,
            answer: Some(answer),
            usage,
            elapsed,
            ..Self::default()
        })
    }
}

fn answer(event: Event) -> Option<(Answer, Usage, Duration)> {
    let free = Usage::default();
    Some(match event {
        Event::Replied { reply, elapsed, .. } => {
            let (usage, finish) = (reply.usage, reply.finish);
            (Answer::Replied { text: reply.text, finish }, usage, elapsed)
        }
        Event::Failed { error, elapsed, .. } => (Answer::Failed(error.to_string()), free, elapsed),
        Event::Ran { result: Ok(value), elapsed, .. } => (Answer::Returned(value), free, elapsed),
        Event::Ran { result: Err(error), elapsed, .. } => {
            (Answer::Failed(error.to_string()), free, elapsed)
        }
        Event::Answered { answer, elapsed, .. } => (Answer::Answered(answer), free, elapsed),
        Event::TimedOut { elapsed, .. } => (Answer::TimedOut, free, elapsed),
        Event::Woken { .. } | Event::Cancelled { .. } => return None,
    })
}
