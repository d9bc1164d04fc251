//! Events: the answers of the driver to directives.

use std::time::Duration;

use cot_model::{FunctionError, ModelError, ModelReply};
use cot_schema::Issues;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::directive::CallId;

/// An event outside of the machine. A driver can write it to a journal and replay it from there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A model replied.
    Replied {
        /// The answered directive.
        id: CallId,
        /// The reply.
        reply: ModelReply,
        /// The duration of the call.
        elapsed: Duration,
    },
    /// A model call failed, and the driver gave up retrying.
    Failed {
        /// The answered directive.
        id: CallId,
        /// The error.
        error: ModelError,
        /// The duration of all tries.
        elapsed: Duration,
    },
    /// A function with [`Effect::Once`](crate::process::effect::Effect::Once) is about to be called. It is
    /// called after this event is durable.
    Started {
        /// The directive.
        id: CallId,
    },
    /// A function with [`Effect::Once`](crate::process::effect::Effect::Once) was started by a driver that is
    /// gone, so it is not known whether the call took effect.
    Interrupted {
        /// The directive.
        id: CallId,
    },
    /// A function returned.
    Ran {
        /// The answered directive.
        id: CallId,
        /// The returned value as JSON, or the error.
        result: Result<Value, FunctionError>,
        /// The duration of the call.
        elapsed: Duration,
    },
    /// A person answered. The time that people take does not count towards the time of the run.
    Answered {
        /// The answered directive.
        id: CallId,
        /// The answer.
        answer: Value,
        /// The time since the question was asked. It counts towards the time limit of the task, so that an
        /// invalid answer does not extend the limit.
        #[serde(default)]
        elapsed: Duration,
    },
    /// The directive's time limit passed.
    TimedOut {
        /// The answered directive.
        id: CallId,
        /// The time that has passed.
        elapsed: Duration,
    },
    /// A timer expired. The waiting time does not count towards the time of the run.
    Woken {
        /// The answered directive.
        id: CallId,
    },
    /// The run is to be cancelled.
    Cancelled {
        /// The reason.
        reason: String,
        /// The number of model calls in flight. They are dropped, and count as calls of unknown usage.
        #[serde(default, skip_serializing_if = "is_zero")]
        calls: u64,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Event {
    /// Returns the directive that the event answers; `None` for a cancellation.
    pub const fn id(&self) -> Option<CallId> {
        match self {
            Self::Replied { id, .. }
            | Self::Failed { id, .. }
            | Self::Ran { id, .. }
            | Self::Answered { id, .. }
            | Self::TimedOut { id, .. }
            | Self::Woken { id }
            | Self::Started { id }
            | Self::Interrupted { id } => Some(*id),
            Self::Cancelled { .. } => None,
        }
    }
}

/// The result of handling an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventOutcome {
    /// The event was applied.
    Applied,
    /// A person's answer was rejected. The machine waits for another answer, or the task has failed.
    Refused(Issues),
    /// The event answers a directive that the machine does not wait for; nothing changed.
    Stale,
    /// The machine is idle or finished; nothing changed.
    NotRunning,
}
