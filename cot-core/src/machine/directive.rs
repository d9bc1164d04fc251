//! What a machine asks of its driver, and what the driver tells it.

use std::{fmt, sync::Arc, time::Duration};

use cot_schema::{Issues, OutputSchema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::key::{CallKey, Place};
use crate::{
    __private::contained,
    CodeError, Process,
    model::{BoxFuture, ModelRequest},
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
    /// Ask a model, and hand in [`Replied`](crate::Event::Replied), [`Failed`](crate::Event::Failed)
    /// or [`TimedOut`](crate::Event::TimedOut).
    CallModel(ModelCall<P>),
    /// Ask a model for each of several items at once. These are all the calls that are to be in
    /// flight: begin those that are not, and drop those that are in flight and not named. A driver with many
    /// in flight has only the new ones named, by [`poll_after`](crate::Machine::poll_after).
    CallModels(Vec<ModelCall<P>>),
    /// Run a function, and hand in [`Ran`](crate::Event::Ran) or [`TimedOut`](crate::Event::TimedOut).
    RunCode(CodeCall<P>),
    /// Ask a person, and hand in [`Answered`](crate::Event::Answered) or
    /// [`TimedOut`](crate::Event::TimedOut).
    AskHuman(HumanCall<P>),
    /// Wait, and hand in [`Woken`](crate::Event::Woken).
    Wait(Timer<P>),
    /// Nothing more: the run is over.
    Finished(P::Outcome),
}

/// A model call that the machine waits for.
#[non_exhaustive]
pub struct ModelCall<P: Process> {
    /// What the answering event has to name.
    pub id: CallId,
    /// The task that asks; while a sub-process asks, the task that runs it.
    pub task: P::Task,
    /// Number of the attempt within this visit of the task, from 1.
    pub attempt: u32,
    /// The number of the item, in a for-each task.
    pub item: Option<usize>,
    /// Engine id; `None` is the runner's default.
    pub engine: Option<&'static str>,
    /// What to ask.
    pub request: Arc<ModelRequest>,
    /// How long the call may take: what is left of the task's and of the run's time.
    pub timeout: Option<Duration>,
    /// What a reply that is no transition has to hold.
    pub(crate) output: Option<&'static OutputSchema>,
    pub(super) place: Place,
}

impl<P: Process> ModelCall<P> {
    /// What the call is, whatever its machine: the task that asks, its visit, the item, the attempt.
    #[must_use]
    pub fn key(&self) -> CallKey {
        CallKey::new(&self.place, self.item, self.attempt)
    }
}

/// A function that the machine waits for: that of a code task, or an async `check`.
#[non_exhaustive]
pub struct CodeCall<P: Process> {
    /// What the answering event has to name.
    pub id: CallId,
    /// The task whose function it is; in a sub-process, the task that runs that.
    pub task: P::Task,
    /// Number of the attempt within this visit of the task, from 1.
    pub attempt: u32,
    /// How long the function may take.
    pub timeout: Option<Duration>,
    /// Whether it is the async `check` of an output, in the place of the function of a code task.
    pub is_check: bool,
    pub(super) place: Place,
    pub(super) code: Begin,
}

/// Begins a function of the user's.
pub(crate) type Begin = Arc<dyn Fn() -> BoxFuture<'static, Result<Value, CodeError>> + Send + Sync>;

impl<P: Process> CodeCall<P> {
    /// The function at its beginning. Nothing happens before the future is polled, and dropping it
    /// drops the function. A panic in it is an error for which [`CodeError::is_panic`] is true.
    #[must_use]
    pub fn run(&self) -> BoxFuture<'static, Result<Value, CodeError>> {
        contained(Arc::clone(&self.code))
    }

    /// What the call is, whatever its machine: the task, its visit, the attempt, and whether it is a check.
    #[must_use]
    pub fn key(&self) -> CallKey {
        let key = CallKey::new(&self.place, None, self.attempt);
        if self.is_check { key.of_check() } else { key }
    }
}

/// A person's answer that the machine waits for.
#[non_exhaustive]
pub struct HumanCall<P: Process> {
    /// What the answering event has to name.
    pub id: CallId,
    /// The task that asks; in a sub-process, the task that runs that.
    pub task: P::Task,
    /// Number of the attempt within this visit of the task, from 1.
    pub attempt: u32,
    /// What is asked.
    pub question: Arc<Question>,
    /// How long to wait for the answer.
    pub timeout: Option<Duration>,
    pub(super) place: Place,
}

impl<P: Process> HumanCall<P> {
    /// What the call is, whatever its machine: the task that asks, its visit, the attempt.
    #[must_use]
    pub fn key(&self) -> CallKey {
        CallKey::new(&self.place, None, self.attempt)
    }
}

/// What a human task asks.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Question {
    /// The question, for people.
    pub text: String,
    /// What the answer has to be.
    pub schema: &'static OutputSchema,
    /// What was wrong with the last answer, if there was one.
    pub issues: Option<Issues>,
}

/// A time that has to pass.
#[non_exhaustive]
pub struct Timer<P: Process> {
    /// What the answering event has to name.
    pub id: CallId,
    /// The task that starts then, or whose function is tried again; in a sub-process, the task that runs that.
    pub task: P::Task,
    /// How long to wait.
    pub duration: Duration,
    /// The driver waits longer by a random part of this: zero for the `wait` of a task, and for the pause before a
    /// function is tried again as long as the pause itself.
    pub jitter: Duration,
}

// By hand, since derived ones would demand the same of the process.
impl<P: Process> Clone for Directive<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Idle => Self::Idle,
            Self::CallModel(call) => Self::CallModel(call.clone()),
            Self::CallModels(calls) => Self::CallModels(calls.clone()),
            Self::RunCode(call) => Self::RunCode(call.clone()),
            Self::AskHuman(call) => Self::AskHuman(call.clone()),
            Self::Wait(timer) => Self::Wait(*timer),
            Self::Finished(outcome) => Self::Finished(outcome.clone()),
        }
    }
}

impl<P: Process> fmt::Debug for Directive<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle => f.write_str("Idle"),
            Self::CallModel(call) => f.debug_tuple("CallModel").field(call).finish(),
            Self::CallModels(calls) => f.debug_tuple("CallModels").field(calls).finish(),
            Self::RunCode(call) => f.debug_tuple("RunCode").field(call).finish(),
            Self::AskHuman(call) => f.debug_tuple("AskHuman").field(call).finish(),
            Self::Wait(timer) => f.debug_tuple("Wait").field(timer).finish(),
            Self::Finished(outcome) => f.debug_tuple("Finished").field(outcome).finish(),
        }
    }
}

impl<P: Process> Clone for ModelCall<P> {
    fn clone(&self) -> Self {
        Self { request: Arc::clone(&self.request), place: self.place.clone(), ..*self }
    }
}

impl<P: Process> fmt::Debug for ModelCall<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelCall")
            .field("id", &self.id)
            .field("task", &self.task)
            .field("attempt", &self.attempt)
            .field("item", &self.item)
            .field("engine", &self.engine)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl<P: Process> Clone for CodeCall<P> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), code: Arc::clone(&self.code), ..*self }
    }
}

impl<P: Process> fmt::Debug for CodeCall<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeCall")
            .field("id", &self.id)
            .field("task", &self.task)
            .field("attempt", &self.attempt)
            .field("timeout", &self.timeout)
            .field("is_check", &self.is_check)
            .finish_non_exhaustive()
    }
}

impl<P: Process> Clone for HumanCall<P> {
    fn clone(&self) -> Self {
        Self { question: Arc::clone(&self.question), place: self.place.clone(), ..*self }
    }
}

impl<P: Process> fmt::Debug for HumanCall<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HumanCall")
            .field("id", &self.id)
            .field("task", &self.task)
            .field("attempt", &self.attempt)
            .field("question", &self.question.text)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl<P: Process> Clone for Timer<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Process> Copy for Timer<P> {}

impl<P: Process> fmt::Debug for Timer<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timer")
            .field("id", &self.id)
            .field("task", &self.task)
            .field("duration", &self.duration)
            .field("jitter", &self.jitter)
            .finish()
    }
}
