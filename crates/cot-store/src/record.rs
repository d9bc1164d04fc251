//! What a journal is made of.

use std::{fmt, sync::Arc, time::SystemTime};

use cot_engine::{CallKey, Event, RunEvent};
use cot_model::{PromptSegments, Usage};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::millis::rounded;
use crate::{delta::delta::Delta, run_id::RunId, status::Status};

/// A record in its place.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number in the journal of its run, from 0, without gaps.
    pub number: u64,
    /// What it says.
    pub record: Record,
}

/// Something that a journal keeps.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The run began. The first entry of every journal, and only that.
    Begun(Begun),
    /// Something happened outside. Written before the run acts on it.
    Event(EventRecord),
    /// Where the run stands, after all events before this entry.
    Step(StepRecord),
}

/// How a run began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Begun {
    /// When.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The name of the process.
    pub process: String,
    /// Of which run this one is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The run at its beginning, as the JSON of a [`Snapshot`](cot_engine::Snapshot).
    pub snapshot: Box<RawValue>,
    /// Where it stands.
    pub status: Status,
}

/// Where a fork comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// How many steps of it the fork has in common with it.
    pub steps: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at step {}", self.run, self.steps)
    }
}

/// Something that happened outside, and what had been asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventRecord {
    /// When it came.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// What was asked; none for an event that answers nothing, as a cancellation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// What happened.
    pub event: Event,
}

/// A call that an event answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked {
    /// What the call is.
    pub key: CallKey,
    /// The engine that was asked, where the task or the process names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What the model was sent, where a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Arc<PromptSegments>>,
}

/// Where a run stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StepRecord {
    /// When it came there.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The run, as the JSON of a [`Snapshot`](cot_engine::Snapshot).
    pub progress: Progress,
    /// What it waits for, or how it ended.
    pub status: Status,
    /// How many times the run has come to a task that does something.
    pub steps: u64,
    /// What its calls have consumed so far.
    pub usage: Usage,
    /// What has happened since the last step, in words for people and programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<RunEvent>,
}

/// The snapshot of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// All of it.
    Whole(Box<RawValue>),
    /// What makes it of the snapshot before it in the journal.
    Changed(Delta),
}

impl Record {
    /// The status of the run from this record on, if it says one.
    #[must_use]
    pub const fn status(&self) -> Option<&Status> {
        match self {
            Self::Begun(begun) => Some(&begun.status),
            Self::Step(step) => Some(&step.status),
            Self::Event(_) => None,
        }
    }

    /// Whether the run can be read from this record on.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        match self {
            Self::Begun(_) => true,
            Self::Step(step) => matches!(step.progress, Progress::Whole(_)),
            Self::Event(_) => false,
        }
    }

    /// The same record with its times as they are stored, to the millisecond.
    pub(super) fn rounded(mut self) -> Self {
        let (at, status) = match &mut self {
            Self::Begun(Begun { at, status, .. }) | Self::Step(StepRecord { at, status, .. }) => {
                (at, Some(status))
            }
            Self::Event(EventRecord { at, .. }) => (at, None),
        };
        *at = rounded(*at);
        if let Some(status) = status {
            status.round();
        }
        self
    }

    /// When it was made.
    #[must_use]
    pub const fn at(&self) -> SystemTime {
        match self {
            Self::Begun(Begun { at, .. })
            | Self::Event(EventRecord { at, .. })
            | Self::Step(StepRecord { at, .. }) => *at,
        }
    }
}
