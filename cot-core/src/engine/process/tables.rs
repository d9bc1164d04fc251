//! A process as static tables: [`Definition`] is plain data, [`Code`] the typed functions beside it.
//!
//! The macro fills them in. Task, transition and arm `i` of one table is task, transition and arm `i`
//! of the other.

use std::{any::Any, fmt, time::Duration};

use serde_json::{Value, value::RawValue};

use crate::{
    Issues, OutputSchema,
    engine::process::commit::CommitView,
    engine::{
        description::gather::Gathered,
        process::{
            mock::{Mocked, Reply},
            process::Process,
            scope::{About, Scope},
        },
        template::writer::PromptWriter,
        values::{budget::Budget, code_error::CodeError, history::History, inputs::Inputs},
    },
    machine::{
        nested::Child, resume::ResumeOptions, snapshot::Snapshot, snapshot_error::SnapshotError,
    },
    model::BoxFuture,
    output::Given,
};

/// Position of a task in the declaration.
pub(crate) type TaskIndex = usize;

/// The plain data of a process.
#[derive(Debug)]
pub struct Definition {
    pub about: About,
    /// Where the process is declared, which no other process has.
    pub place: &'static str,
    /// Engine ids for all tasks that name none, tried in order.
    pub engines: &'static [&'static str],
    pub max_retries: Option<u32>,
    pub history: HistoryLimit,
    /// Bound of the state's mirror of the history, where there is one.
    pub state_max_items: Option<usize>,
    pub start: TaskIndex,
    pub default_return: Option<TaskIndex>,
    pub max_steps: Option<u64>,
    pub timeout: Option<Duration>,
    pub budget: Budget,
    pub mock_mode: Option<bool>,
    /// A guard, an update or a template uses `goal`.
    pub uses_goal: bool,
    /// Something uses `last_output`, or is a function that may.
    pub uses_last_output: bool,
    /// Hash of the process-level templates.
    pub prompt_hash: u64,
    /// The graph as a Mermaid flow chart.
    pub mermaid: &'static str,
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
    /// A timer before the task starts.
    pub wait: Option<Duration>,
    pub timeout: Option<Duration>,
    pub max_retries: Option<u32>,
    /// How it is tried again, in a task with a function.
    pub retry: RetryDefinition,
    /// Whether its outputs and transitions enter the history.
    pub history: bool,
    /// Whether whoever leads here delivers inputs.
    pub takes_inputs: bool,
    pub has_mock: bool,
    pub mock_mode: Option<bool>,
    /// Where `process_output` may choose to go.
    pub choices: &'static [TaskIndex],
    /// Where `next` leads, arm by arm.
    pub next: &'static [TaskIndex],
    /// Where to go instead of halting.
    pub on: OnRoutes,
    /// The task after this one in its sequence.
    pub in_sequence: Option<TaskIndex>,
    /// Hash of the task's templates.
    pub prompt_hash: u64,
}

/// Where a task goes instead of halting; what has no route halts.
#[derive(Debug, Clone, Copy)]
pub struct OnRoutes {
    pub exhausted: Option<TaskIndex>,
    pub truncated: Option<TaskIndex>,
    pub refused: Option<TaskIndex>,
    pub timeout: Option<TaskIndex>,
    pub unreachable: Option<TaskIndex>,
    pub budget: Option<TaskIndex>,
}

/// How a function is tried again.
#[derive(Debug, Clone, Copy)]
pub struct RetryDefinition {
    /// The pause after the first attempt, which doubles with each, and the longest one.
    pub backoff: (Duration, Duration),
    /// Whether an attempt that takes too long is made again; the time limit is one of each attempt then.
    pub timeouts: bool,
}

/// What a task does.
#[derive(Debug)]
pub enum TaskKind {
    /// Asks a model.
    Ai(AiDefinition),
    /// Asks a model for each item of a list.
    Each(AiDefinition, EachDefinition),
    /// Runs an async function.
    Code,
    /// Asks a person.
    Human,
    /// Runs another process. Behind a function, so that the constants of two processes that run each
    /// other are no cycle: `check_runs_end` reports these.
    Process(fn() -> &'static Definition),
    Gateway,
    End,
    Fail,
}

/// The plain data of a task that asks a model.
#[derive(Debug)]
pub struct AiDefinition {
    /// Engine ids, tried in order; empty stands for the process's.
    pub engines: &'static [&'static str],
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
    /// Whether the model thinks aloud: its reply is a text, and the output what is in it of
    /// [`Reasoning`](crate::reasoning::Reasoning).
    pub reasons: bool,
    /// Where the model may choose to go.
    pub transitions: &'static [TransitionDefinition],
}

/// The plain data of a for-each task.
#[derive(Debug, Clone, Copy)]
pub struct EachDefinition {
    pub max_concurrency: Option<usize>,
}

/// The plain data of a transition.
#[derive(Debug, Clone, Copy)]
pub struct TransitionDefinition {
    pub target: TaskIndex,
    /// Whether the model supplies the target's inputs.
    pub with_model: bool,
}

/// The transitions to these tasks, whose inputs no model supplies.
#[must_use]
pub const fn transitions<const COUNT: usize>(
    targets: [TaskIndex; COUNT],
) -> [TransitionDefinition; COUNT] {
    let mut transitions = [TransitionDefinition { target: 0, with_model: false }; COUNT];
    let mut index = 0;
    while index < COUNT {
        transitions[index].target = targets[index];
        index += 1;
    }
    transitions
}

/// A template: writes its text.
pub(crate) type Template<P> = fn(&Scope<'_, P>, &mut PromptWriter) -> fmt::Result;
/// A guard of a transition.
pub(crate) type Guard<P> = fn(&Scope<'_, P>) -> bool;
/// A guard of a `next` arm: sees the output that was just committed, if the task has one.
pub(crate) type ArmGuard<P> = fn(&Scope<'_, P>, Option<&<P as Process>::Output>) -> bool;
/// The inputs that a transition computes for its target.
pub(crate) type With<P> = fn(&Scope<'_, P>) -> Option<Inputs>;
/// The inputs that a `next` arm computes for its target.
pub(crate) type ArmWith<P> = fn(&Scope<'_, P>, Option<&<P as Process>::Output>) -> Option<Inputs>;
/// Applies `update` and `process_output`; all or nothing. The view is the scope of the task without its
/// state, which is the second argument. The result is what `process_output` chose, if it chooses.
pub(crate) type Commit<P> = fn(
    &<P as Process>::Output,
    &mut <P as Process>::State,
    &mut CommitView<'_, P>,
) -> Result<Option<Chosen>, Issues>;

/// The first state field that a task reads and that is not written.
pub(crate) type Unwritten<P> = fn(&<P as Process>::State) -> Option<&'static str>;
/// The synthetic answer of a task.
pub(crate) type Mock<P> = fn(&Scope<'_, P>) -> serde_json::Result<Mocked>;

/// The synthetic answer of any task that asks.
pub(crate) type ProcessMock<P> = fn(&Scope<'_, P>) -> Reply<<P as Process>::Output>;

/// The typed functions of a process.
pub struct Code<P: Process> {
    pub goal: Option<Template<P>>,
    pub intro: Option<Template<P>>,
    pub system: Option<Template<P>>,
    pub primers: Primers<P>,
    /// The parts of `prompts`, by name.
    pub parts: &'static [(&'static str, Template<P>)],
    /// The state's mirror of the history.
    pub mirror: Option<fn(&mut P::State) -> &mut History>,
    /// The synthetic answer of the tasks that ask and have no mock of their own.
    pub mock: Option<ProcessMock<P>>,
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
    /// The prompt of an AI task; what a human task asks.
    pub prompt: Option<Template<P>>,
    pub full_prompt: Option<Template<P>>,
    pub errors_primer: Option<Template<P>>,
    /// Why the process fails, of a `fail` task.
    pub fail: Option<Template<P>>,
    /// The first state field that the task reads and that is not written, if any: the compiler has
    /// proven that there is none, unless a function outside of the declaration took it away.
    pub unwritten: Option<Unwritten<P>>,
    pub inputs: Option<InputsCode>,
    /// The transitions, in their order.
    pub transitions: &'static [TransitionCode<P>],
    /// The `next` arms, in their order.
    pub next: &'static [ArmCode<P>],
    pub output: Option<OutputCode<P>>,
    /// A synthetic answer. The scope has the inputs and the item.
    pub mock: Option<Mock<P>>,
    pub work: Work<P>,
}

/// What a task does besides asking.
pub enum Work<P: Process> {
    None,
    Run(Run<P>),
    Each(EachCode<P>),
    Process(SubProcess<P>),
}

/// An async function, on a copy of the state and of the inputs.
pub(crate) type Run<P> =
    fn(<P as Process>::State, Option<Inputs>) -> BoxFuture<'static, Result<Value, CodeError>>;

/// An async `check`, on a copy of the output, of the state and of the inputs. It gives `null`, or the issues.
pub(crate) type AsyncCheck<P> = fn(
    <P as Process>::Output,
    <P as Process>::State,
    Option<Inputs>,
) -> BoxFuture<'static, Result<Value, CodeError>>;

/// The typed functions of a for-each task. Which item is meant, the scope says.
pub struct EachCode<P: Process> {
    /// How many items there are.
    pub count: fn(&Scope<'_, P>) -> usize,
    /// Reads the output for one item, and runs `check`.
    pub read: fn(Given<'_>, &Scope<'_, P>) -> Result<(), Issues>,
}

/// The typed functions of a sub-process.
pub struct SubProcess<P: Process> {
    /// The process at its start.
    pub begin: fn(&Scope<'_, P>) -> Option<Child>,
    /// The process where a snapshot left it.
    pub resume: fn(Snapshot, &ResumeOptions) -> Result<Child, SnapshotError>,
    /// Adds the process to a description; gives its place there.
    pub describe: fn(&mut Gathered) -> usize,
    /// The final state of the process, as the task's output.
    pub end: fn(Box<dyn Any>) -> Option<P::Output>,
}

/// The typed functions of a task's inputs.
pub struct InputsCode {
    /// The schema of inputs that a model supplies.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads inputs: those of a snapshot, or those of a model that fit the schema.
    pub read: fn(Value) -> Result<Inputs, Issues>,
}

/// The typed functions of a transition.
pub struct TransitionCode<P: Process> {
    pub label: Option<Template<P>>,
    pub guard: Option<Guard<P>>,
    pub with: Option<With<P>>,
}

impl<P: Process> TransitionCode<P> {
    /// Of a transition that computes nothing.
    pub const NONE: Self = Self { label: None, guard: None, with: None };
}

/// The typed functions of a `next` arm.
pub struct ArmCode<P: Process> {
    pub guard: Option<ArmGuard<P>>,
    pub with: Option<ArmWith<P>>,
}

impl<P: Process> ArmCode<P> {
    /// Of an arm that computes nothing.
    pub const NONE: Self = Self { guard: None, with: None };
}

/// The typed functions of a task's output.
pub struct OutputCode<P: Process> {
    /// The schema of one reply: of a for-each task, of the output for one item. Code and
    /// sub-processes have none.
    pub schema: Option<fn() -> &'static OutputSchema>,
    /// Reads a value that fits the schema into the type, and runs `check`; of a for-each task, reads
    /// the list of all outputs, which were checked one by one.
    pub read: fn(Given<'_>, &Scope<'_, P>) -> Result<P::Output, Issues>,
    /// The async `check`, which looks at what `read` gives.
    pub check: Option<AsyncCheck<P>>,
    /// Reads an output that was committed before, and so was checked: the state has changed since.
    pub restore: fn(Given<'_>) -> Result<P::Output, Issues>,
    pub commit: Commit<P>,
    /// The output as JSON, for the history.
    pub to_json: fn(&P::Output) -> serde_json::Result<Box<RawValue>>,
}

/// What a `process_output` chose.
#[derive(Debug, Clone)]
pub struct Chosen {
    pub task: TaskIndex,
    pub inputs: Option<Inputs>,
}

impl Definition {
    /// The task at an index that the macro made, or that a snapshot check has accepted.
    pub(crate) fn task(&self, index: TaskIndex) -> &'static TaskDefinition {
        &self.tasks[index]
    }
}

impl RetryDefinition {
    /// The pauses when a task does not say.
    pub const DEFAULT: Self =
        Self { backoff: (Duration::from_millis(200), Duration::from_secs(30)), timeouts: false };

    /// The longest pause after so many failed attempts.
    pub(crate) fn pause(&self, failed: usize) -> Duration {
        let (first, longest) = self.backoff;
        let doublings = u32::try_from(failed.saturating_sub(1)).unwrap_or(u32::MAX);
        let factor = 2_u32.checked_pow(doublings).unwrap_or(u32::MAX);
        first.saturating_mul(factor).min(longest)
    }
}

impl OnRoutes {
    /// Every way of going wrong halts.
    pub const NONE: Self = Self {
        exhausted: None,
        truncated: None,
        refused: None,
        timeout: None,
        unreachable: None,
        budget: None,
    };

    /// The routes and what they are called.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, TaskIndex)> {
        [
            ("exhausted", self.exhausted),
            ("truncated", self.truncated),
            ("refused", self.refused),
            ("timeout", self.timeout),
            ("unreachable", self.unreachable),
            ("budget", self.budget),
        ]
        .into_iter()
        .filter_map(|(name, target)| Some((name, target?)))
    }
}

impl TaskKind {
    /// What a task asks a model, if it asks one.
    pub(crate) const fn ai(&self) -> Option<&AiDefinition> {
        match self {
            Self::Ai(ai) | Self::Each(ai, _) => Some(ai),
            _ => None,
        }
    }

    /// Whether the model is to think aloud.
    pub(crate) fn reasons(&self) -> bool {
        self.ai().is_some_and(|ai| ai.reasons)
    }
}
