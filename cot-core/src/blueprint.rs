//! A process as static tables: [`Definition`] is plain data, [`Code`] the typed functions beside it.
//!
//! The macro fills them in. Task, transition and arm `i` of one table is task, transition and arm `i`
//! of the other.

use std::{fmt, time::Duration};

use serde_json::Value;

use crate::{About, Issues, OutputSchema, Process, Scope, prompt::PromptWriter};

pub(crate) mod schemas;

pub use schemas::SchemaCache;

/// Position of a task in the declaration.
pub(crate) type TaskIndex = usize;

/// The plain data of a process.
#[derive(Debug)]
pub struct Definition {
    pub about: About,
    /// Engine id for all tasks that name none.
    pub engine: Option<&'static str>,
    pub max_retries: Option<u32>,
    pub history: HistoryLimit,
    /// Bound of the state's mirror of the history, where there is one.
    pub state_max_items: Option<usize>,
    pub start: TaskIndex,
    pub default_return: Option<TaskIndex>,
    pub max_steps: Option<u64>,
    pub timeout: Option<Duration>,
    /// A guard, an update or a template uses `goal`.
    pub uses_goal: bool,
    /// Hash of the process-level templates.
    pub prompt_hash: u64,
    pub tasks: &'static [TaskDefinition],
}

/// How much history a process keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryLimit {
    None,
    Unlimited,
    Last(usize),
}

/// The plain data of a task.
#[derive(Debug)]
pub struct TaskDefinition {
    pub about: About,
    pub kind: TaskKind,
    /// Where `next` leads, arm by arm.
    pub next: &'static [TaskIndex],
    /// The task after this one in its sequence.
    pub in_sequence: Option<TaskIndex>,
    /// Hash of the task's templates.
    pub prompt_hash: u64,
}

/// What a task does.
#[derive(Debug)]
pub enum TaskKind {
    Ai(AiDefinition),
    Gateway,
    End,
    Fail,
}

/// The plain data of an AI task.
#[derive(Debug)]
pub struct AiDefinition {
    pub engine: Option<&'static str>,
    pub max_retries: Option<u32>,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
    pub timeout: Option<Duration>,
    /// Whether its outputs and transitions enter the history.
    pub history: bool,
    /// Where the model may choose to go.
    pub transitions: &'static [TaskIndex],
    /// Where `process_output` may choose to go.
    pub choices: &'static [TaskIndex],
}

/// A template: writes its text.
pub(crate) type Template<P> = fn(&Scope<'_, P>, &mut PromptWriter) -> fmt::Result;
/// A guard of a transition.
pub(crate) type Guard<P> = fn(&Scope<'_, P>) -> bool;
/// A guard of a `next` arm: sees the output that was just committed, if the task has one.
pub(crate) type ArmGuard<P> = fn(&Scope<'_, P>, Option<&<P as Process>::Output>) -> bool;
/// Applies `update` and `process_output`, which sees the goal; all or nothing. The result is what
/// `process_output` chose, if it chooses.
pub(crate) type Commit<P> = fn(
    &<P as Process>::Output,
    &mut <P as Process>::State,
    &str,
) -> Result<Option<TaskIndex>, Issues>;

/// The typed functions of a process.
pub struct Code<P: Process> {
    pub goal: Option<Template<P>>,
    pub intro: Option<Template<P>>,
    pub system: Option<Template<P>>,
    pub primers: Primers<P>,
    /// The state's mirror of the history.
    pub mirror: Option<fn(&mut P::State) -> &mut crate::History>,
    pub tasks: &'static [TaskCode<P>],
}

/// The texts before the standard parts; `None` stands for the library's own.
pub struct Primers<P: Process> {
    pub goal: Option<Template<P>>,
    pub history: Option<Template<P>>,
    pub errors: Option<Template<P>>,
    pub transitions: Option<Template<P>>,
    pub output: Option<Template<P>>,
}

/// The typed functions of a task.
pub struct TaskCode<P: Process> {
    pub prompt: Option<Template<P>>,
    pub full_prompt: Option<Template<P>>,
    pub errors_primer: Option<Template<P>>,
    /// Why the process fails, of a `fail` task.
    pub fail: Option<Template<P>>,
    /// Labels and guards of the transitions, in their order.
    pub transitions: &'static [TransitionCode<P>],
    /// Guards of the `next` arms, in their order.
    pub next: &'static [Option<ArmGuard<P>>],
    pub output: Option<OutputCode<P>>,
}

/// The typed functions of a transition.
pub struct TransitionCode<P: Process> {
    pub label: Option<Template<P>>,
    pub guard: Option<Guard<P>>,
}

/// The typed functions of a task's output.
pub struct OutputCode<P: Process> {
    pub schema: fn() -> &'static OutputSchema,
    /// Reads a value that fits the schema into the type, and runs `check`.
    pub read: fn(Value, &P::State) -> Result<P::Output, Issues>,
    pub commit: Commit<P>,
    /// The output as JSON, for the history.
    pub to_json: fn(&P::Output) -> serde_json::Result<String>,
}

impl Definition {
    /// The task at an index that the macro made, or that a snapshot check has accepted.
    pub(crate) fn task(&self, index: TaskIndex) -> &'static TaskDefinition {
        &self.tasks[index]
    }
}
