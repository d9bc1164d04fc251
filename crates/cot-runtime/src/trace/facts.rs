//! What spans are about.

use std::time::Duration;

use cot_engine::{CallKey, Effect, Question};
use cot_model::{ModelInfo, ModelRequest, ToolCall, TraceContext};
use cot_store::RunId;

/// A run that a driver starts or resumes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunFacts<'a> {
    /// The name of the run: its name in the store, or a generated one if it is not stored.
    pub run_id: &'a RunId,
    /// The name of the process.
    pub process: &'static str,
    /// Whether the run is stored.
    pub is_stored: bool,
    /// Whether the run has begun earlier, in another driver.
    pub is_resumed: bool,
    /// The context of the caller: that of the runner, or the one that was current when the run was started, or the one
    /// that was stored with the submission of the run.
    pub caller: Option<&'a TraceContext>,
    /// The context of the run's span in the driver that began it, if the run is resumed and its store has it.
    pub begun_in: Option<&'a TraceContext>,
}

/// A span within a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum SpanFacts<'a> {
    /// A visit of a task.
    Task(TaskFacts<'a>),
    /// An attempt at a task, or at an item of a for-each task.
    Attempt(AttemptFacts<'a>),
    /// A call of a model.
    Model(ModelCallFacts<'a>),
    /// A call of a function: of a task, or the async check of an output, for which
    /// [`CallKey::is_check`] is true.
    Function(FunctionCallFacts<'a>),
    /// An attempt at a tool call.
    Tool(ToolCallFacts<'a>),
    /// A question that a function of the program answers.
    Person(PersonFacts<'a>),
    /// A write of the journal.
    Commit(CommitFacts),
}

/// A visit of a task.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TaskFacts<'a> {
    /// The name of the process that declares the task.
    pub process: &'a str,
    /// The name of the task.
    pub task: &'a str,
    /// The kind of the task, such as `ai` or `for_each`.
    pub kind: &'static str,
    /// The number of started tasks in the process, including this one; `None` if the visit began in another driver.
    pub step: Option<u64>,
}

/// An attempt at a task, or at an item of a for-each task.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct AttemptFacts<'a> {
    /// The name of the task.
    pub task: &'a str,
    /// The number of the item, in a for-each task.
    pub item: Option<usize>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

/// A call of a model.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ModelCallFacts<'a> {
    /// The key of the call.
    pub key: &'a CallKey,
    /// The id of the engine, if the task or the process names one.
    pub engine: Option<&'a str>,
    /// What the client tells of the model.
    pub model: ModelInfo<'a>,
    /// The request, with its settings.
    pub request: &'a ModelRequest,
    /// The time limit of the call.
    pub timeout: Option<Duration>,
    /// Whether the reply is streamed, if the model can.
    pub is_streamed: bool,
}

/// A call of a function.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FunctionCallFacts<'a> {
    /// The key of the call.
    pub key: &'a CallKey,
    /// The declared effect.
    pub effect: Effect,
    /// The time limit of the call.
    pub timeout: Option<Duration>,
}

/// An attempt at a tool call.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ToolCallFacts<'a> {
    /// The key of the call.
    pub key: &'a CallKey,
    /// The name of the tool; empty if the call began in another driver, and a mock answers it.
    pub tool: &'a str,
    /// The call as the model made it, unless a mock answers it or it can't be made.
    pub call: Option<&'a ToolCall>,
    /// The declared effect.
    pub effect: Effect,
    /// The time limit of the call.
    pub timeout: Option<Duration>,
}

/// A question that a function of the program answers.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PersonFacts<'a> {
    /// The key of the call.
    pub key: &'a CallKey,
    /// The question.
    pub question: &'a Question,
}

/// A write of the journal.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CommitFacts {
    /// The number of entries.
    pub entries: usize,
    /// Whether a position of the run is among them.
    pub has_step: bool,
}

impl<'a> SpanFacts<'a> {
    /// Returns the key of the call, if the span is one.
    #[must_use]
    pub const fn key(&self) -> Option<&'a CallKey> {
        match self {
            Self::Model(ModelCallFacts { key, .. })
            | Self::Function(FunctionCallFacts { key, .. })
            | Self::Tool(ToolCallFacts { key, .. })
            | Self::Person(PersonFacts { key, .. }) => Some(key),
            Self::Task(_) | Self::Attempt(_) | Self::Commit(_) => None,
        }
    }
}
