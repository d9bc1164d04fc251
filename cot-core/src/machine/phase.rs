//! Where a run stands.

use std::{sync::Arc, time::Duration};

use super::CallId;
use crate::{Attempt, blueprint::TaskIndex, model::ModelRequest, outcome::Ending};

/// Where a run stands.
///
/// ```text
///          begin                  reply accepted
///   At ------------> Calling ------------------> At
///    |                |    ^ |
///    | end, no route  |    +-+ retry
///    v                v
///   Finished <--- halt, no route
/// ```
#[derive(Debug)]
pub(super) enum Phase {
    /// Between two tasks: this one is about to start.
    At { task: TaskIndex },
    /// A task waits for a model.
    Calling(Calling),
    /// The run is over.
    Finished { ending: Ending<TaskIndex> },
}

/// A visit of an AI task.
#[derive(Debug)]
pub(super) struct Calling {
    pub(super) task: TaskIndex,
    pub(super) id: CallId,
    /// The transitions whose guards held when the task started, by their number.
    pub(super) visible: Vec<usize>,
    /// The attempts that have failed.
    pub(super) attempts: Vec<Attempt>,
    /// The time that the failed attempts took.
    pub(super) spent: Duration,
    /// What to ask; written at the first poll.
    pub(super) request: Option<Arc<ModelRequest>>,
}

impl Calling {
    /// Number of the attempt that is under way, from 1.
    pub(super) fn attempt(&self) -> u32 {
        u32::try_from(self.attempts.len()).unwrap_or(u32::MAX).saturating_add(1)
    }
}
