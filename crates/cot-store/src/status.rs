//! Where runs stand, in a form that needs no types of theirs.

use std::{fmt, time::SystemTime};

use cot_engine::CallKey;
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::millis::rounded;

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
