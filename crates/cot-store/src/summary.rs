//! Summaries of runs.

use std::{fmt, time::SystemTime};

use cot_engine::{CallKey, Event};
use cot_model::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    cancel::CancelRequest,
    error::StoreError,
    millis::round_to_millis,
    questions,
    record::{CallInfo, EventRecord, Origin, Record, RunStarted, RunSubmitted},
    run_id::RunId,
    status::Status,
};

/// The summary of a run: its status, its totals, and whether it is being driven.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// The name of the run.
    pub run: RunId,
    /// The name of the process.
    pub process: String,
    /// The status as of the last entry of the journal.
    pub status: Status,
    /// How many times the run has started a task that does something.
    pub steps: u64,
    /// The total usage of its calls.
    pub usage: Usage,
    /// When the run started.
    #[serde(with = "super::millis")]
    pub begun: SystemTime,
    /// When the last entry was appended.
    #[serde(with = "super::millis")]
    pub updated: SystemTime,
    /// The number of entries of the journal.
    pub entries: u64,
    /// The run and step that this run is a fork of, if it is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Whether the question of the run has an answer that no driver has taken yet.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_answered: bool,
    /// Why workers leave the run alone, if they do: see [`Store::set_aside`](crate::Store::set_aside).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<SetAside>,
    /// The request to cancel the run that no driver has applied yet: see
    /// [`Store::request_cancel`](crate::Store::request_cancel).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_requested: Option<CancelRequest>,
    /// Whether a driver holds the lease of the run at this moment.
    pub is_driven: bool,
    /// Why the store could not determine whether the run is being driven; [`is_driven`](Self::is_driven) is
    /// `false` then. Acquiring the run fails with this error as long as it persists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_error: Option<String>,
}

/// Why workers leave a run alone, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SetAside {
    /// The reason.
    pub why: String,
    /// Since when.
    #[serde(with = "super::millis")]
    pub at: SystemTime,
}

impl SetAside {
    /// Creates the mark of a run that is set aside, at the time `now`.
    #[must_use]
    pub fn new(why: impl Into<String>, now: SystemTime) -> Self {
        Self { why: why.into(), at: round_to_millis(now) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl RunSummary {
    /// Creates the summary of a run that has just started. Stores set the other fields.
    #[must_use]
    pub fn new(run: RunId, process: String, status: Status, begun: SystemTime) -> Self {
        Self {
            run,
            process,
            status,
            steps: 0,
            usage: Usage::default(),
            begun: round_to_millis(begun),
            updated: round_to_millis(begun),
            entries: 1,
            origin: None,
            is_answered: false,
            set_aside: None,
            cancel_requested: None,
            is_driven: false,
            driver_error: None,
        }
    }

    /// Creates the summary of a run from the first record of its journal.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`] when the record is neither [`Record::Submitted`] nor [`Record::Begun`]: the
    /// run does not exist yet.
    pub fn from_record(run: &RunId, first: &Record) -> Result<Self, StoreError> {
        let begun = match first {
            Record::Begun(begun) => begun,
            Record::Submitted(RunSubmitted { at, process, .. }) => {
                return Ok(Self::new(run.clone(), process.clone(), Status::Queued, *at));
            }
            _ => return Err(StoreError::UnknownRun { run: run.clone() }),
        };
        let RunStarted { at, process, origin, snapshot, status, .. } = begun;
        let mut summary = Self::new(run.clone(), process.clone(), status.clone(), *at);
        if let Some(origin) = origin {
            summary.steps = origin.steps;
            let usage_field = serde_json::from_str(snapshot.get());
            summary.usage = usage_field.map(|UsageField { usage }| usage).unwrap_or_default();
            summary.origin = Some(origin.clone());
        }
        Ok(summary)
    }

    /// Returns the time from which the run needs a driver; `None` if it has ended, is set aside, or waits for an
    /// answer without a time limit. A run that is to be cancelled needs one at once.
    #[must_use]
    pub fn due_at(&self) -> Option<SystemTime> {
        if self.set_aside.is_some() {
            return None;
        }
        if let Some(CancelRequest { at, .. }) = &self.cancel_requested {
            return Some(*at).filter(|_| !self.status.is_ended());
        }
        match &self.status {
            Status::Queued | Status::Running { .. } => Some(self.updated),
            Status::Asking { .. } if self.is_answered => Some(self.updated),
            Status::Asking { until, due, .. } => until.iter().chain(due).min().copied(),
            Status::Sleeping { until, .. } => Some(*until),
            Status::Ended { .. } => None,
        }
    }

    /// Checks an answer before it is stored: that the run asks this question, and that the answer matches
    /// its schema after the repairs that the run makes. A program with a runner of the process also applies the
    /// rules of its type (`#[cot(…)]`). A `check` of the process needs the state, and follows when the run applies
    /// the answer.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAsked`], or [`StoreError::InvalidAnswer`] with all issues of the answer.
    pub fn check_answer(&self, key: &CallKey, answer: &Value) -> Result<(), StoreError> {
        let schema = self.question_schema(key)?;
        questions::check(&self.process, key, schema, answer).map_err(|issues| {
            StoreError::InvalidAnswer { run: self.run.clone(), key: key.clone(), issues }
        })
    }

    /// Returns the schema of the answer to the question that the run asks under `key`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAsked`] when the run asks no question, or another one.
    pub fn question_schema(&self, key: &CallKey) -> Result<&Value, StoreError> {
        match &self.status {
            Status::Asking { key: asked, schema, .. } if asked == key => Ok(schema),
            _ => Err(StoreError::NotAsked { run: self.run.clone(), key: key.clone() }),
        }
    }

    /// Adds a request to cancel the run, unless there is one already. A run that is set aside is put back, so
    /// that a driver applies the request.
    ///
    /// # Errors
    ///
    /// [`StoreError::HasEnded`] for a run that has ended.
    pub fn request_cancel(&mut self, request: CancelRequest) -> Result<(), StoreError> {
        if self.status.is_ended() {
            return Err(StoreError::HasEnded { run: self.run.clone() });
        }
        self.cancel_requested.get_or_insert(request);
        self.set_aside = None;
        Ok(())
    }

    /// Returns the text that a [filter](crate::RunFilter::search) searches, in lower case: a line each for the
    /// name, the process, the task, and the question or the reason of the ending.
    #[must_use]
    pub fn search_text(&self) -> String {
        let about = match &self.status {
            Status::Asking { question, .. } => question,
            Status::Ended { why, .. } => why,
            Status::Queued | Status::Running { .. } | Status::Sleeping { .. } => "",
        };
        let Self { run, process, status, .. } = self;
        format!("{run}\n{process}\n{}\n{about}", status.task()).to_lowercase()
    }

    /// Updates the summary with a record that is appended to the journal, which also ends that it is [set
    /// aside](Self::set_aside). After the event that it waits for, a run counts as running, even before its next
    /// step is recorded. A cancellation, or the end of the run, takes the
    /// [request](Self::cancel_requested).
    ///
    /// # Errors
    ///
    /// [`StoreError::RunExists`] when the record is a [`Record::Begun`] and the run is not queued, or a
    /// [`Record::Submitted`]: a run is submitted and begins once.
    pub fn apply(&mut self, record: &Record) -> Result<(), StoreError> {
        match record {
            Record::Begun(begun) if self.status == Status::Queued => {
                self.status = begun.status.clone();
            }
            Record::Submitted(_) | Record::Begun(_) => {
                return Err(StoreError::RunExists { run: self.run.clone() });
            }
            Record::Step(step) => {
                self.status = step.status.clone();
                (self.steps, self.usage) = (step.steps, step.usage.normalize_cost());
            }
            Record::Event(event) if event.completes(&self.status) => {
                self.status = Status::Running { task: self.status.task().to_owned() };
            }
            Record::Event(_) => {}
        }
        let is_cancelled = matches!(record, Record::Event(event) if event.is_cancellation());
        if is_cancelled || self.status.is_ended() {
            self.cancel_requested = None;
        }
        // Stores know whether there is an answer to the present question.
        (self.is_answered, self.set_aside) = (false, None);
        self.entries += 1;
        self.updated = round_to_millis(record.at());
        Ok(())
    }
}

impl fmt::Display for RunSummary {
    /// Writes one line: the run, its process, its status, its steps, and the run that it is a fork of.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, process, status, steps, origin, set_aside, cancel_requested, .. } = self;
        write!(f, "{run} ({process}) {status}, {steps} steps")?;
        if let Some(origin) = origin {
            write!(f, ", a fork of {origin}")?;
        }
        if let Some(SetAside { why, .. }) = set_aside {
            write!(f, ", set aside: {why}")?;
        }
        match cancel_requested {
            Some(CancelRequest { reason, .. }) if reason.is_empty() => {
                f.write_str(", to be cancelled")
            }
            Some(CancelRequest { reason, .. }) => write!(f, ", to be cancelled: {reason}"),
            None => Ok(()),
        }
    }
}

/// The fields of a snapshot that a summary contains.
#[derive(Deserialize)]
struct UsageField {
    usage: Usage,
}

impl EventRecord {
    /// Returns whether the event cancels the run.
    const fn is_cancellation(&self) -> bool {
        matches!(self.event, Event::Cancelled { .. })
    }

    /// Returns whether the event is one that a run with this status waits for.
    fn completes(&self, status: &Status) -> bool {
        match status {
            Status::Asking { .. } | Status::Sleeping { .. } if self.is_cancellation() => true,
            Status::Asking { key, .. } => {
                matches!(&self.asked, Some(CallInfo { key: asked, .. }) if asked == key)
            }
            Status::Sleeping { .. } => matches!(self.event, Event::Woken { .. }),
            _ => false,
        }
    }
}
