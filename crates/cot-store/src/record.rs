//! The records of a journal.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_engine::{Budget, CallId, CallKey, Event, RunEvent};
use cot_model::{BlobSet, PromptSegments, TraceContext, Usage};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::value::RawValue;

use super::millis::round_to_millis;
use crate::{
    chain::EntryHash, delta::delta::Delta, marks::CallMarks, run_id::RunId, status::Status,
};

/// A record with its position in a journal.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The position in the journal, from 0, without gaps.
    pub number: u64,
    /// The hash of the entry, which chains it to those before; `None` in a store that keeps no hashes, such as one in
    /// memory.
    pub hash: Option<EntryHash>,
    /// The record.
    pub record: Record,
}

/// A record of a journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The submission of a run that a worker will begin: the first entry of its journal, and no other.
    Submitted(RunSubmitted),
    /// The start of the run: the first entry of a journal, or the second after a submission, and no other.
    Begun(RunStarted),
    /// An event from outside, such as a reply or an answer. It is durable before the run acts on it.
    Event(EventRecord),
    /// The position of the run after all preceding events.
    Step(StepRecord),
}

/// The submission of a run, as a journal contains it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunSubmitted {
    /// When the run was submitted.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The name of the process.
    pub process: String,
    /// The state at the start, as JSON.
    pub state: Box<RawValue>,
    /// The goal, instead of that of the runner and of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The maximum number of steps, instead of that of the runner and of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// The time limit, instead of that of the runner and of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The budget, instead of that of the runner and of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// The trace that the run belongs to: the context of the program that submitted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceContext>,
}

/// The start of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunStarted {
    /// When the run started.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The name of the process.
    pub process: String,
    /// The run and step that this run is a fork of, if it is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The run at its start, as the JSON of a [`Snapshot`](cot_engine::Snapshot).
    pub snapshot: Box<RawValue>,
    /// The blobs that the snapshot refers to.
    #[serde(default, skip_serializing_if = "BlobSet::is_empty")]
    pub blobs: BlobSet,
    /// The status of the run at its start.
    pub status: Status,
    /// The trace in which the run started, for the spans of drivers that resume it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceContext>,
}

/// The run and step that a fork was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The original run.
    pub run: RunId,
    /// The number of steps that the fork shares with the original run.
    pub steps: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at step {}", self.run, self.steps)
    }
}

/// An event from outside, with the call that it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventRecord {
    /// When the event arrived.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The call that the event answers; `None` for an event that answers no call, such as a cancellation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<CallInfo>,
    /// The event.
    pub event: Event,
}

/// A call that an event answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CallInfo {
    /// The key of the call.
    pub key: CallKey,
    /// The id of the engine that was called, if the task or the process names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The version of the program that made the call: that of the package that declares the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The prompt that was sent, if the call was a model call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Arc<PromptSegments>>,
    /// The marks of trust that were in force, if the call was a model call and something was marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<CallMarks>,
}

/// The position of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StepRecord {
    /// When the run reached the position.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
    /// The run, as the JSON of a [`Snapshot`](cot_engine::Snapshot), in full or as a delta.
    pub progress: StepSnapshot,
    /// The blobs that the snapshot refers to and no earlier record contains.
    #[serde(default, skip_serializing_if = "BlobSet::is_empty")]
    pub blobs: BlobSet,
    /// The status of the run.
    pub status: Status,
    /// The timers that are running, unless the status is that of the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timers: Vec<Timer>,
    /// How many times the run has started a task that does something.
    pub steps: u64,
    /// The total usage of its calls so far.
    pub usage: Usage,
    /// The run events since the last step. A delta of the snapshot refers to their texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_notes")]
    pub notes: Vec<RunEvent>,
}

fn read_notes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RunEvent>, D::Error> {
    let notes = Vec::<Box<RawValue>>::deserialize(deserializer)?;
    notes.iter().map(|note| RunEvent::from_journal(note).map_err(D::Error::custom)).collect()
}

/// A timer that is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timer {
    /// The directive that the timer performs.
    pub call: CallId,
    /// When the timer ends.
    #[serde(with = "super::millis")]
    pub until: SystemTime,
}

/// The snapshot of a step, in full or as a delta.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepSnapshot {
    /// The full snapshot.
    #[serde(rename = "whole")]
    Full(Box<RawValue>),
    /// The difference from the preceding snapshot in the journal.
    Changed(Delta),
}

impl Record {
    /// Returns the status of the run as of this record; `None` for an event.
    #[must_use]
    pub const fn status(&self) -> Option<&Status> {
        match self {
            Self::Submitted(_) => Some(&Status::Queued),
            Self::Begun(begun) => Some(&begun.status),
            Self::Step(step) => Some(&step.status),
            Self::Event(_) => None,
        }
    }

    /// Returns the blobs of the record; `None` for a submission or an event.
    #[must_use]
    pub const fn blobs(&self) -> Option<&BlobSet> {
        match self {
            Self::Begun(begun) => Some(&begun.blobs),
            Self::Step(step) => Some(&step.blobs),
            Self::Submitted(_) | Self::Event(_) => None,
        }
    }

    /// Returns whether the record contains a full snapshot, from which the run can be read.
    #[must_use]
    pub const fn is_full_snapshot(&self) -> bool {
        match self {
            Self::Begun(_) => true,
            Self::Step(step) => matches!(step.progress, StepSnapshot::Full(_)),
            Self::Submitted(_) | Self::Event(_) => false,
        }
    }

    /// Rounds the times of the record to the milliseconds that are stored.
    pub(super) fn with_rounded_times(mut self) -> Self {
        let (at, status) = match &mut self {
            Self::Begun(RunStarted { at, status, .. })
            | Self::Step(StepRecord { at, status, .. }) => (at, Some(status)),
            Self::Event(EventRecord { at, .. }) | Self::Submitted(RunSubmitted { at, .. }) => {
                (at, None)
            }
        };
        *at = round_to_millis(*at);
        if let Some(status) = status {
            status.round_times();
        }
        if let Self::Step(StepRecord { timers, .. }) = &mut self {
            timers.iter_mut().for_each(|timer| timer.until = round_to_millis(timer.until));
        }
        self
    }

    /// Returns the time of the record.
    #[must_use]
    pub const fn at(&self) -> SystemTime {
        match self {
            Self::Begun(RunStarted { at, .. })
            | Self::Submitted(RunSubmitted { at, .. })
            | Self::Event(EventRecord { at, .. })
            | Self::Step(StepRecord { at, .. }) => *at,
        }
    }
}
