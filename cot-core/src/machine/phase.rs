//! Where a run stands.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use cot_model::{ModelRequest, Usage};
use serde_json::Value;

use super::{CallId, FunctionCall, Question, nested::Child};
use crate::{Attempt, Failure, Inputs, blueprint::TaskIndex, outcome::Ending};

/// Where a run stands.
///
/// ```text
///         begin                                          accepted
///   At ------------> Calling, Each, Running, Asking, Within -----> At
///   |  ^             |                                ^  |
///   |  +-- Waiting   | halt, no route                 +--+ again
///   v                v
///   Finished <-------+
/// ```
#[derive(Debug)]
pub(super) enum Phase {
    /// Between two tasks: this one is about to start.
    At(Arrival),
    /// A task waits for its time.
    Waiting { arrival: Arrival, id: CallId },
    /// A task waits for a model.
    Calling { visit: Visit, ask: Ask },
    /// A task waits for a model, for several items at once.
    Each(Each),
    /// A task waits for a function.
    Running { visit: Visit, tries: Tries, id: CallId, code: Option<FunctionCall>, pause: Pause },
    /// A task waits for a person.
    Asking { visit: Visit, tries: Tries, id: CallId, waits_for: Option<Wanted> },
    /// A task runs another process.
    Within { visit: Visit, tries: Tries, child: Box<Child> },
    /// The run is over.
    Finished { ending: Ending<TaskIndex> },
    /// What stands here was taken out, and is put back, or followed by something else, before anybody
    /// looks. It stays only where code of the process panics meanwhile, which halts the run.
    Taken { task: TaskIndex, attempts: Vec<Attempt> },
}

/// Whether a function waits before it is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pause {
    /// It is to be run.
    None,
    /// An attempt has failed, and the call is the timer before the next one.
    Backoff,
}

/// A task that is about to start, and what was delivered to it.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    pub(super) task: TaskIndex,
    pub(super) inputs: Option<Inputs>,
    /// Whether the timer before it has run down.
    pub(super) has_waited: bool,
}

/// A visit of a task.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    pub(super) task: TaskIndex,
    pub(super) inputs: Option<Inputs>,
    /// How many times the run has come to the task, from 1.
    pub(super) number: u32,
}

/// The attempts at something that have failed, and the time that they took.
#[derive(Debug, Clone, Default)]
pub(super) struct Tries {
    pub(super) attempts: Vec<Attempt>,
    pub(super) spent: Duration,
}

/// Something that a model is asked until its answer is good: about a task, or about one item of it.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) id: CallId,
    pub(super) item: Option<usize>,
    /// The transitions whose guards held when the task started, by their number.
    pub(super) visible: Vec<usize>,
    /// Which of the task's engines is asked.
    pub(super) engine: usize,
    pub(super) tries: Tries,
    /// What to ask; written at the first poll.
    pub(super) request: Option<Arc<ModelRequest>>,
    /// The synthetic answer that stands for the model's.
    pub(super) mock: Option<Value>,
    /// The output of a good reply, while an async `check` looks at it.
    pub(super) checking: Option<Box<Checking>>,
}

/// An output that was read, and is committed once an async `check` has accepted it.
#[derive(Debug)]
pub(super) struct Checking {
    /// The output as JSON.
    pub(super) value: Value,
    /// The reply that it was in, shortened.
    pub(super) reply: String,
    /// What the reply consumed.
    pub(super) usage: Usage,
    /// How long the reply took.
    pub(super) elapsed: Duration,
    /// The check at its beginning; made at the first poll.
    pub(super) code: Option<FunctionCall>,
}

/// A visit of a for-each task.
#[derive(Debug)]
pub(super) struct Each {
    pub(super) visit: Visit,
    pub(super) total: usize,
    /// The items from here on have not been begun.
    pub(super) next: usize,
    /// The valid outputs, as JSON.
    pub(super) done: BTreeMap<usize, Value>,
    /// What the accepted attempts consumed.
    pub(super) usage: Usage,
    /// What is being asked, and in which lane. Ids grow, so that the newest calls are the last.
    pub(super) asks: BTreeMap<CallId, (usize, Ask)>,
    /// The newest call whose request is written; those of all before it are too.
    pub(super) written: Option<CallId>,
    /// How long the calls took that were made one after the other in each of the concurrent lanes.
    pub(super) lanes: Vec<Duration>,
    /// The longest of these.
    pub(super) longest: Duration,
    /// The lanes in which nothing is asked.
    pub(super) free: Vec<usize>,
    /// The time of the run when the task began.
    pub(super) began: Duration,
}

/// What a human task waits for.
#[derive(Debug)]
pub(super) enum Wanted {
    /// A person's answer.
    Answer(Arc<Question>),
    /// The synthetic answer that stands for it, from the driver: it keeps its turn.
    Mock(Value),
    /// The verdict of an async `check` on the answer.
    Check(Box<Checking>),
}

impl Arrival {
    pub(super) const fn new(task: TaskIndex, inputs: Option<Inputs>) -> Self {
        Self { task, inputs, has_waited: false }
    }
}

impl Tries {
    /// Number of the attempt that is under way, from 1.
    pub(super) fn number(&self) -> u32 {
        self.attempts.last().map_or(1, |last| last.number.saturating_add(1))
    }

    /// How many answers were rejected since somebody else was asked: each engine has retries of its
    /// own.
    pub(super) fn rejected(&self) -> usize {
        let is_rejected = |attempt: &&Attempt| attempt.failure == Failure::Rejected;
        self.attempts.iter().rev().take_while(is_rejected).count()
    }

    /// The last attempt whose answer was rejected: what was wrong with it is told.
    pub(super) fn last_rejected(&self) -> Option<&Attempt> {
        self.attempts.iter().rfind(|attempt| attempt.failure == Failure::Rejected)
    }
}

impl Phase {
    /// The task that it is about.
    pub(super) fn task(&self) -> TaskIndex {
        match self {
            Self::At(arrival) | Self::Waiting { arrival, .. } => arrival.task,
            Self::Calling { visit, .. }
            | Self::Running { visit, .. }
            | Self::Asking { visit, .. }
            | Self::Within { visit, .. }
            | Self::Each(Each { visit, .. }) => visit.task,
            Self::Finished { ending } => ending.task(),
            Self::Taken { task, .. } => *task,
        }
    }

    /// What was delivered to that task.
    pub(super) const fn inputs(&self) -> Option<&Inputs> {
        match self {
            Self::At(arrival) | Self::Waiting { arrival, .. } => arrival.inputs.as_ref(),
            Self::Calling { visit, .. }
            | Self::Running { visit, .. }
            | Self::Asking { visit, .. }
            | Self::Within { visit, .. }
            | Self::Each(Each { visit, .. }) => visit.inputs.as_ref(),
            Self::Finished { .. } | Self::Taken { .. } => None,
        }
    }

    /// The attempts that have failed at what is under way; those of the items of a for-each task, which
    /// may be many, are left out.
    pub(super) fn attempts(&self) -> &[Attempt] {
        match self {
            Self::Calling { ask, .. } => &ask.tries.attempts,
            Self::Running { tries, .. }
            | Self::Asking { tries, .. }
            | Self::Within { tries, .. } => &tries.attempts,
            Self::Taken { attempts, .. } => attempts,
            _ => &[],
        }
    }

    /// The attempts that have failed at what is under way.
    pub(super) fn into_attempts(self) -> Vec<Attempt> {
        match self {
            Self::Calling { ask, .. } => ask.tries.attempts,
            Self::Running { tries, .. }
            | Self::Asking { tries, .. }
            | Self::Within { tries, .. } => tries.attempts,
            Self::Each(each) => {
                each.asks.into_values().flat_map(|(_, ask)| ask.tries.attempts).collect()
            }
            Self::Taken { attempts, .. } => attempts,
            Self::At(_) | Self::Waiting { .. } | Self::Finished { .. } => Vec::new(),
        }
    }
}
