//! The status of a run, without the types of its process.

use std::{fmt, str::FromStr, time::SystemTime};

use cot_engine::CallKey;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::millis::round_to_millis;

/// The status of a run: what it waits for, or how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "one for each run; a box would be in the public type"
)]
pub enum Status {
    /// The run was submitted, and no worker has begun it yet.
    Queued,
    /// A task is running models or functions, or is about to start.
    Running {
        /// The task.
        task: String,
    },
    /// The run waits for a person's answer.
    Asking {
        /// The task that asks.
        task: String,
        /// The key of the question, which an answer names.
        key: CallKey,
        /// The question.
        question: String,
        /// The JSON schema of the answer.
        schema: Value,
        /// The issues of the preceding answer, if it was rejected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issues: Option<Issues>,
        /// When the question was asked.
        #[serde(with = "super::millis")]
        since: SystemTime,
        /// When the time limit ends, if the task has one.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "super::millis::option")]
        until: Option<SystemTime>,
        /// When the run needs a driver although the question is open: when the first timer beside it ends, or
        /// since the question was asked if other calls are in flight.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "super::millis::option")]
        due: Option<SystemTime>,
    },
    /// The run waits until a task starts, or makes its next attempt.
    Sleeping {
        /// The task.
        task: String,
        /// When it does.
        #[serde(with = "super::millis")]
        until: SystemTime,
    },
    /// The run has ended.
    Ended {
        /// The task at which the run ended.
        task: String,
        /// How the run ended.
        how: EndKind,
        /// The reason, if the run did not succeed; else empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EndKind {
    /// At an `end` task.
    End,
    /// At a `fail` task.
    Fail,
    /// At a task without a next task, which no other task had called.
    RanOut,
    /// By an error, a limit or a cancellation, before it reached a terminal task.
    Halted,
}

/// The kind of a [`Status`], without its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StatusKind {
    /// No worker has begun the run yet.
    Queued,
    /// The run is running models or functions.
    Running,
    /// The run waits for a person's answer.
    Asking,
    /// The run waits for a timer.
    Sleeping,
    /// The run has ended at an `end` task.
    End,
    /// The run has ended at a `fail` task.
    Fail,
    /// The run has ended at a task without a next task.
    RanOut,
    /// The run was ended by an error, a limit or a cancellation.
    Halted,
}

impl StatusKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Running,
        Self::Asking,
        Self::Sleeping,
        Self::End,
        Self::Fail,
        Self::RanOut,
        Self::Halted,
    ];

    /// Returns the kind as one word: `queued`, `running`, `asking`, `sleeping`, `end`, `fail`, `ran_out` or
    /// `halted`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Asking => "asking",
            Self::Sleeping => "sleeping",
            Self::End => "end",
            Self::Fail => "fail",
            Self::RanOut => "ran_out",
            Self::Halted => "halted",
        }
    }
}

impl fmt::Display for StatusKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The error of parsing a text that is not the word of a [`StatusKind`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a status: one is `queued`, `running`, `asking`, `sleeping`, `end`, `fail`, `ran_out` or `halted`"
)]
pub struct ParseStatusKindError(String);

cot_schema::debug_as_sentence!(ParseStatusKindError);

impl FromStr for StatusKind {
    type Err = ParseStatusKindError;

    fn from_str(text: &str) -> Result<Self, ParseStatusKindError> {
        let kind = Self::ALL.into_iter().find(|kind| kind.word() == text);
        kind.ok_or_else(|| ParseStatusKindError(text.chars().take(40).collect()))
    }
}

impl Status {
    /// Rounds the times to the milliseconds that are stored.
    pub(super) fn round_times(&mut self) {
        match self {
            Self::Asking { since, until, due, .. } => {
                *since = round_to_millis(*since);
                *until = until.map(round_to_millis);
                *due = due.map(round_to_millis);
            }
            Self::Sleeping { until, .. } => *until = round_to_millis(*until),
            Self::Queued | Self::Running { .. } | Self::Ended { .. } => {}
        }
    }

    /// Returns the task that the run is at; empty for a run that has not begun.
    #[must_use]
    pub fn task(&self) -> &str {
        match self {
            Self::Queued => "",
            Self::Running { task }
            | Self::Asking { task, .. }
            | Self::Sleeping { task, .. }
            | Self::Ended { task, .. } => task,
        }
    }

    /// Returns whether the run has ended.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// Returns the kind of the status.
    #[must_use]
    pub const fn kind(&self) -> StatusKind {
        match self {
            Self::Queued => StatusKind::Queued,
            Self::Running { .. } => StatusKind::Running,
            Self::Asking { .. } => StatusKind::Asking,
            Self::Sleeping { .. } => StatusKind::Sleeping,
            Self::Ended { how: EndKind::End, .. } => StatusKind::End,
            Self::Ended { how: EndKind::Fail, .. } => StatusKind::Fail,
            Self::Ended { how: EndKind::RanOut, .. } => StatusKind::RanOut,
            Self::Ended { how: EndKind::Halted, .. } => StatusKind::Halted,
        }
    }

    /// Returns the word of the [kind](Self::kind).
    #[must_use]
    pub const fn word(&self) -> &'static str {
        self.kind().word()
    }
}

impl EndKind {
    /// Returns the name of the variant in snake case.
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

impl fmt::Display for EndKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for Status {
    /// Writes one line: the word, the task, and the question or the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued => return f.write_str(self.word()),
            _ => write!(f, "{} at {}", self.word(), self.task())?,
        }
        match self {
            Self::Asking { key, question, .. } => write!(f, " ({key}): {question}"),
            Self::Ended { why, .. } if !why.is_empty() => write!(f, ": {why}"),
            _ => Ok(()),
        }
    }
}
