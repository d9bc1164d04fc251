//! Runs at a glance.

use std::{fmt, time::SystemTime};

use cot_engine::{CallKey, Event};
use cot_model::Usage;
use cot_reader::internal::fits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    error::StoreError,
    millis::rounded,
    record::{Asked, Begun, EventRecord, Origin, Record},
    run_id::RunId,
    status::Status,
};

/// A run at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// Its name.
    pub run: RunId,
    /// The name of the process.
    pub process: String,
    /// What it waits for, or how it ended, as of the last entry in the journal.
    pub status: Status,
    /// How many times it has come to a task that does something.
    pub steps: u64,
    /// What its calls have consumed.
    pub usage: Usage,
    /// When it began.
    #[serde(with = "super::millis")]
    pub begun: SystemTime,
    /// When the last entry was added.
    #[serde(with = "super::millis")]
    pub updated: SystemTime,
    /// How many entries its journal has.
    pub entries: u64,
    /// Of which run it is a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Whether somebody drives it at this moment.
    pub is_driven: bool,
    /// Why the store could not determine whether somebody drives it; [`is_driven`](Self::is_driven) is `false`
    /// then. Acquiring the run fails with this error as long as it persists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_error: Option<String>,
}

impl RunSummary {
    /// A run of which only the beginning is known. Stores fill in the rest.
    #[must_use]
    pub fn new(run: RunId, process: String, status: Status, begun: SystemTime) -> Self {
        Self {
            run,
            process,
            status,
            steps: 0,
            usage: Usage::default(),
            begun: rounded(begun),
            updated: rounded(begun),
            entries: 1,
            origin: None,
            is_driven: false,
            driver_error: None,
        }
    }

    /// The run of a journal that begins with this record.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`] when a journal does not begin so: the run does not exist yet.
    pub fn of(run: &RunId, first: &Record) -> Result<Self, StoreError> {
        let Record::Begun(begun) = first else {
            return Err(StoreError::UnknownRun { run: run.clone() });
        };
        let Begun { at, process, origin, snapshot, status } = begun;
        let mut summary = Self::new(run.clone(), process.clone(), status.clone(), *at);
        if let Some(origin) = origin {
            summary.steps = origin.steps;
            let consumed = serde_json::from_str(snapshot.get());
            summary.usage = consumed.map(|Consumed { usage }| usage).unwrap_or_default();
            summary.origin = Some(origin.clone());
        }
        Ok(summary)
    }

    /// Checks an answer before it is stored: whether the run asks this, and whether the answer fits the schema
    /// of the question, after the same repairs that the run makes. Rules that only the process knows are
    /// checked when the run takes the answer.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAsked`], and [`StoreError::InvalidAnswer`] with everything that is wrong.
    pub fn check_answer(&self, key: &CallKey, answer: &Value) -> Result<(), StoreError> {
        let run = || self.run.clone();
        let Status::Asking { key: asked, schema, .. } = &self.status else {
            return Err(StoreError::NotAsked { run: run(), key: key.clone() });
        };
        if asked != key {
            return Err(StoreError::NotAsked { run: run(), key: key.clone() });
        }
        fits(schema, answer).map_err(|issues| StoreError::InvalidAnswer {
            run: run(),
            key: key.clone(),
            issues,
        })
    }

    /// Takes in a record that is added to the journal. A run that has got an answer asks no more, and one
    /// that was woken sleeps no more, though it has made no step since.
    ///
    /// # Errors
    ///
    /// [`StoreError::RunExists`] when a journal does not go on so: the run has begun already.
    pub fn apply(&mut self, record: &Record) -> Result<(), StoreError> {
        match record {
            Record::Begun(_) => return Err(StoreError::RunExists { run: self.run.clone() }),
            Record::Step(step) => {
                self.status = step.status.clone();
                (self.steps, self.usage) = (step.steps, step.usage.counted());
            }
            Record::Event(event) if event.ends(&self.status) => {
                self.status = Status::Running { task: self.status.task().to_owned() };
            }
            Record::Event(_) => {}
        }
        self.entries += 1;
        self.updated = rounded(record.at());
        Ok(())
    }
}

impl fmt::Display for RunSummary {
    /// One line: the run, its process, its status, its steps, and where it comes from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, process, status, steps, origin, .. } = self;
        write!(f, "{run} ({process}) {status}, {steps} steps")?;
        match origin {
            Some(origin) => write!(f, ", a fork of {origin}"),
            None => Ok(()),
        }
    }
}

/// What a summary takes from a snapshot.
#[derive(Deserialize)]
struct Consumed {
    usage: Usage,
}

impl EventRecord {
    /// Whether what a run waits for has come.
    fn ends(&self, status: &Status) -> bool {
        match status {
            Status::Asking { key, .. } => {
                matches!(&self.asked, Some(Asked { key: asked, .. }) if asked == key)
            }
            Status::Sleeping { .. } => matches!(self.event, Event::Woken { .. }),
            _ => false,
        }
    }
}

/// Which runs are meant; what is not set lets all through.
///
/// ```
/// use cot_core::store::RunFilter;
///
/// let mut filter = RunFilter::default();
/// filter.process = Some("DsBuilder".to_owned());
/// filter.is_ended = Some(false);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct RunFilter {
    /// Those of a process.
    pub process: Option<String>,
    /// Those that are over, or those that are not.
    pub is_ended: Option<bool>,
    /// Those that ask a person, or those that do not.
    pub is_asking: Option<bool>,
    /// Those whose last entry is older than this, in milliseconds.
    pub updated_before: Option<SystemTime>,
    /// At most so many, the newest.
    pub limit: Option<usize>,
}

impl RunFilter {
    /// Whether a run is meant; the limit is not looked at.
    #[must_use]
    pub fn lets_through(&self, run: &RunSummary) -> bool {
        let is_asking = matches!(run.status, Status::Asking { .. });
        self.process.as_ref().is_none_or(|process| *process == run.process)
            && self.is_ended.is_none_or(|ended| ended == run.status.is_ended())
            && self.is_asking.is_none_or(|asking| asking == is_asking)
            && self.updated_before.is_none_or(|time| run.updated < rounded(time))
    }
}
