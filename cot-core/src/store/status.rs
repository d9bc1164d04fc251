//! Where runs stand, in a form that needs no types of theirs.

use std::{fmt, time::SystemTime};

use cot_model::Usage;
use cot_reader::internal::fits;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Asked, Begun, EventRecord, Origin, Record, RunId, StoreError, millis::rounded};
use crate::{CallKey, Event};

/// What a run waits for, or how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// Models or functions are at work for a task, or it is about to start.
    Running {
        /// The task.
        task: String,
    },
    /// A person is asked.
    Asking {
        /// The task that asks.
        task: String,
        /// What an answer has to name.
        key: CallKey,
        /// The question.
        question: String,
        /// The JSON schema of the answer.
        schema: Value,
        /// What was wrong with the last answer, if there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issues: Option<Issues>,
        /// Since when.
        #[serde(with = "super::millis")]
        since: SystemTime,
        /// Until when, where there is a time limit.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "super::millis::option")]
        until: Option<SystemTime>,
    },
    /// A time has to pass before a task starts.
    Sleeping {
        /// The task.
        task: String,
        /// When it starts.
        #[serde(with = "super::millis")]
        until: SystemTime,
    },
    /// The run is over.
    Ended {
        /// The task at which it ended.
        task: String,
        /// How.
        how: Ended,
        /// Why, in words, where it is not a success.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ended {
    /// At an `end` task.
    End,
    /// At a `fail` task.
    Fail,
    /// At a task without a route, which no task had called.
    RanOut,
    /// It could not go on.
    Halted,
}

impl Status {
    /// Makes its times what is stored of them.
    pub(super) fn round(&mut self) {
        match self {
            Self::Asking { since, until, .. } => {
                *since = rounded(*since);
                *until = until.map(rounded);
            }
            Self::Sleeping { until, .. } => *until = rounded(*until),
            Self::Running { .. } | Self::Ended { .. } => {}
        }
    }

    /// The task at which the run stands.
    #[must_use]
    pub fn task(&self) -> &str {
        match self {
            Self::Running { task }
            | Self::Asking { task, .. }
            | Self::Sleeping { task, .. }
            | Self::Ended { task, .. } => task,
        }
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// The status in one word: `running`, `asking`, `sleeping`, `end`, `fail`, `ran_out` or `halted`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Running { .. } => "running",
            Self::Asking { .. } => "asking",
            Self::Sleeping { .. } => "sleeping",
            Self::Ended { how, .. } => how.word(),
        }
    }
}

impl Ended {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Fail => "fail",
            Self::RanOut => "ran_out",
            Self::Halted => "halted",
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for Status {
    /// One line: the word, the task, and what else there is to say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.word(), self.task())?;
        match self {
            Self::Asking { key, question, .. } => write!(f, " ({key}): {question}"),
            Self::Ended { why, .. } if !why.is_empty() => write!(f, ": {why}"),
            _ => Ok(()),
        }
    }
}

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
