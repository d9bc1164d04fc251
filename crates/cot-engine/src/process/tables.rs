//! The plain tables of a process; `code.rs` has the typed functions beside them.
//!
//! The macro fills them in. Task, transition and arm `i` of one table is task, transition and arm `i`
//! of the other.

use std::time::Duration;

use crate::{
    process::scope::About,
    values::{budget::Budget, inputs::Inputs},
};

/// Retries of a task when neither it nor its process says how many.
pub(crate) const DEFAULT_MAX_RETRIES: u32 = 2;

/// Position of a task in the declaration.
pub type TaskIndex = usize;

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
    /// Whether the tasks that lead here supply its inputs.
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
    /// [`Reasoning`](cot_reader::Reasoning).
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

    /// The names of the routes.
    pub(crate) const NAMES: [&str; 6] =
        ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget"];

    /// The routes and what they are called.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, TaskIndex)> {
        let targets = [
            self.exhausted,
            self.truncated,
            self.refused,
            self.timeout,
            self.unreachable,
            self.budget,
        ];
        Self::NAMES.into_iter().zip(targets).filter_map(|(name, target)| Some((name, target?)))
    }
}

impl TaskKind {
    /// What a task asks a model, if it asks one.
    pub const fn ai(&self) -> Option<&AiDefinition> {
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
