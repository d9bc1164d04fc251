//! How a run ends.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Issues, Usage, model::ModelError};

/// How a process ended, before the generated code gives it the process's own type.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ending<T> {
    /// An `end` task was reached.
    End(T),
    /// A `fail` task was reached.
    Fail(T, String),
    /// A task ran out of routes, and no task had called it.
    RanOut(T),
    /// The run could not go on.
    Halted(Halt<T>),
}

/// Why a run could not go on, and where. Nothing that was committed before is lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Halt<T> {
    /// The task that was being run.
    pub task: T,
    /// What happened.
    pub reason: HaltReason,
    /// The attempts at this visit of the task, the last one last.
    pub attempts: Vec<Attempt>,
}

/// What stopped a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HaltReason {
    /// Every attempt failed validation.
    Exhausted,
    /// The reply was cut off by the limit of tokens.
    Truncated,
    /// The model refused to answer; what it said.
    Refused(String),
    /// The task's time limit passed.
    TaskTimeout(Duration),
    /// The run's time limit passed.
    RunTimeout(Duration),
    /// The run's limit of steps was reached.
    MaxSteps(u64),
    /// The model could not be reached.
    Unreachable(ModelError),
    /// A template could not be written.
    Template(String),
    /// The run was cancelled; why.
    Cancelled(String),
    /// Gateways led round in a circle, by guards that do not depend on the state alone.
    GatewayLoop,
    /// Code of the process panicked while a reply was taken in, and the driver went on all the same.
    Panicked,
}

/// One reply of a model that was not accepted, or did not come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Attempt {
    /// Its number within the visit of the task, from 1.
    pub number: u32,
    /// What the model said; long replies are cut.
    pub reply: String,
    /// What was wrong with it.
    pub issues: Issues,
    /// What the call consumed.
    pub usage: Usage,
    /// How long the call took.
    pub elapsed: Duration,
}

impl fmt::Display for HaltReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("no attempt gave a valid reply"),
            Self::Truncated => f.write_str("the reply was cut off by the limit of tokens"),
            Self::Refused(said) => write!(f, "the model refused: {said}"),
            Self::TaskTimeout(limit) => write!(f, "the task's time limit of {limit:?} passed"),
            Self::RunTimeout(limit) => write!(f, "the run's time limit of {limit:?} passed"),
            Self::MaxSteps(limit) => write!(f, "the run reached its limit of {limit} steps"),
            Self::Unreachable(error) => write!(f, "the model could not be reached: {error}"),
            Self::Template(what) => write!(f, "a template could not be written: {what}"),
            Self::Cancelled(why) => write!(f, "cancelled: {why}"),
            Self::GatewayLoop => f.write_str("gateways lead round in a circle"),
            Self::Panicked => f.write_str("code of the process panicked"),
        }
    }
}

impl<T: fmt::Display> fmt::Display for Halt<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task `{}`: {}", self.task, self.reason)?;
        match self.attempts.last() {
            Some(last) if !last.issues.is_empty() => {
                write!(f, " (attempt {}: {})", last.number, last.issues)
            }
            _ => Ok(()),
        }
    }
}

impl<T: fmt::Debug + fmt::Display> std::error::Error for Halt<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            HaltReason::Unreachable(error) => Some(error),
            _ => None,
        }
    }
}
