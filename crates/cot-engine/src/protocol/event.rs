//! What the driver tells a machine.

use std::time::Duration;

use cot_model::{ModelError, ModelReply};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{protocol::directive::CallId, values::code_error::CodeError};

/// What happened outside. A driver can write it into a journal, and hand it in again from there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A model answered.
    Replied {
        /// The directive that this answers.
        id: CallId,
        /// What the model said.
        reply: ModelReply,
        /// How long it took.
        elapsed: Duration,
    },
    /// A model could not be reached, and the driver has given up trying.
    Failed {
        /// The directive that this answers.
        id: CallId,
        /// Why.
        error: ModelError,
        /// How long was tried.
        elapsed: Duration,
    },
    /// A function came to its end.
    Ran {
        /// The directive that this answers.
        id: CallId,
        /// What it returned, as JSON, or its error.
        result: Result<Value, CodeError>,
        /// How long it took.
        elapsed: Duration,
    },
    /// A person answered. What people take does not count as time of the run.
    Answered {
        /// The directive that this answers.
        id: CallId,
        /// The answer.
        answer: Value,
        /// How long the question stood. It counts against the time limit of the task, so that an answer that
        /// is not valid does not extend it.
        #[serde(default)]
        elapsed: Duration,
    },
    /// The directive's time limit passed.
    TimedOut {
        /// The directive that this answers.
        id: CallId,
        /// How long was waited.
        elapsed: Duration,
    },
    /// The time that a timer was set to has passed. It does not count as time of the run.
    Woken {
        /// The directive that this answers.
        id: CallId,
    },
    /// Somebody wants the run to stop.
    Cancelled {
        /// Why.
        reason: String,
    },
}

impl Event {
    /// The directive that it answers; none for one that comes unasked.
    pub const fn id(&self) -> Option<CallId> {
        match self {
            Self::Replied { id, .. }
            | Self::Failed { id, .. }
            | Self::Ran { id, .. }
            | Self::Answered { id, .. }
            | Self::TimedOut { id, .. }
            | Self::Woken { id } => Some(*id),
            Self::Cancelled { .. } => None,
        }
    }
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum Handled {
    /// It moved the machine.
    Applied,
    /// A person's answer was not accepted; the machine waits for another one, or has given up.
    Refused(Issues),
    /// It answers a directive that the machine does not wait for; nothing changed.
    Stale,
    /// The machine is idle or finished; nothing changed.
    NotRunning,
}
