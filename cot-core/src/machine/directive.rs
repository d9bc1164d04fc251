//! What a machine asks of its driver, and what the driver tells it.

use std::{fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    Process,
    model::{ModelError, ModelReply, ModelRequest},
};

/// Names one directive of one machine; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub(super) u64);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call-{}", self.0)
    }
}

/// What the machine wants done next.
pub enum Directive<P: Process> {
    /// Nothing: the machine has not been started.
    Idle,
    /// Ask a model, and hand in [`Event::Replied`], [`Event::Failed`] or [`Event::TimedOut`].
    CallModel(ModelCall<P>),
    /// Nothing more: the run is over.
    Finished(P::Outcome),
}

/// A model call that the machine waits for.
#[non_exhaustive]
pub struct ModelCall<P: Process> {
    /// What the answering event has to name.
    pub id: CallId,
    /// The task that asks.
    pub task: P::Task,
    /// Number of the attempt within this visit of the task, from 1.
    pub attempt: u32,
    /// Engine id; `None` is the runner's default.
    pub engine: Option<&'static str>,
    /// What to ask.
    pub request: Arc<ModelRequest>,
    /// How long the call may take: what is left of the task's and of the run's time.
    pub timeout: Option<Duration>,
}

// By hand, since derived ones would demand the same of the process.
impl<P: Process> Clone for Directive<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Idle => Self::Idle,
            Self::CallModel(call) => Self::CallModel(call.clone()),
            Self::Finished(outcome) => Self::Finished(outcome.clone()),
        }
    }
}

impl<P: Process> fmt::Debug for Directive<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle => f.write_str("Idle"),
            Self::CallModel(call) => f.debug_tuple("CallModel").field(call).finish(),
            Self::Finished(outcome) => f.debug_tuple("Finished").field(outcome).finish(),
        }
    }
}

impl<P: Process> Clone for ModelCall<P> {
    fn clone(&self) -> Self {
        Self { request: Arc::clone(&self.request), ..*self }
    }
}

impl<P: Process> fmt::Debug for ModelCall<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelCall")
            .field("id", &self.id)
            .field("task", &self.task)
            .field("attempt", &self.attempt)
            .field("engine", &self.engine)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// What happened outside.
#[derive(Debug, Clone)]
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
    /// The directive's time limit passed.
    TimedOut {
        /// The directive that this answers.
        id: CallId,
        /// How long was waited.
        elapsed: Duration,
    },
    /// Somebody wants the run to stop.
    Cancelled {
        /// Why.
        reason: String,
    },
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handled {
    /// It moved the machine.
    Applied,
    /// It answers a directive that the machine does not wait for; nothing changed.
    Stale,
    /// The machine is idle or finished; nothing changed.
    NotRunning,
}
