//! The plain tables of a process. The typed functions are in `code.rs`.
//!
//! The macro generates the tables. Tasks, transitions and arms have the same index in both files' tables.

use std::time::Duration;

use cot_model::PartName;

use crate::{
    process::{
        bounds::BoundsDefinition,
        effect::Effect,
        kinds::{
            group::{Collect, Join},
            info::{KindInfo, KindTag},
            settings::{SettingsDefinition, ShownMedia},
        },
        reading::format::ReplyFormat,
        retry::RetryDefinition,
        scope::About,
        texts::{ProcessTexts, TaskTexts},
        tool::definition::{ToolIndex, ToolUses, ToolsDefinition},
        trust::TrustDefinition,
    },
    values::{budget::Budget, inputs::Inputs},
};

/// The index of a task in the declaration.
pub type TaskIndex = usize;

/// The plain data of a process.
#[derive(Debug)]
pub struct Definition {
    pub about: About,
    /// The source location of the declaration and the name, which are unique together: the processes that a
    /// macro declares have the same location.
    pub place: &'static str,
    /// The version of the package that declares the process; `None` where Cargo does not build it.
    pub version: Option<&'static str>,
    /// Engine ids for the tasks that name none, tried in order.
    pub engines: &'static [&'static str],
    /// The settings for the tasks that set none of their own.
    pub settings: SettingsDefinition,
    pub max_retries: Option<u32>,
    /// The number of times in a row that a model may make the same choice.
    pub max_repeats: Option<u32>,
    pub history: HistoryLimit,
    /// Maximum length of the state's mirror of the history.
    pub state_max_items: Option<usize>,
    pub start: TaskIndex,
    pub default_return: Option<TaskIndex>,
    pub max_steps: Option<u64>,
    pub timeout: Option<Duration>,
    pub budget: Budget,
    pub bounds: BoundsDefinition,
    pub mock_mode: Option<bool>,
    /// Whether a guard, an update or a template uses `goal`.
    pub uses_goal: bool,
    /// Whether an expression uses `last_output`, or a function could.
    pub uses_last_output: bool,
    /// The order of the parts of prompts, if the process sets one.
    pub order: Option<&'static [PartName]>,
    /// The facts of the texts of the process.
    pub texts: ProcessTexts,
    /// Hash of the process-level templates.
    pub prompt_hash: u64,
    /// The graph as a Mermaid flow chart.
    pub mermaid: &'static str,
    pub tools: ToolsDefinition,
    /// The marks of trust.
    pub trust: &'static TrustDefinition,
    pub tasks: &'static [TaskDefinition],
}

/// The number of history entries that a process keeps.
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
    /// The waiting time before the task starts.
    pub wait: Option<Duration>,
    pub timeout: Option<Duration>,
    pub max_retries: Option<u32>,
    /// The retry policy, for a task with a function.
    pub retry: RetryDefinition,
    /// Whether the outputs and transitions of the task are added to the history.
    pub history: bool,
    /// Whether the task takes inputs.
    pub takes_inputs: bool,
    pub has_mock: bool,
    pub mock_mode: Option<bool>,
    /// The tasks that `process_output` may choose.
    pub choices: &'static [TaskIndex],
    /// The targets of `next`, by arm.
    pub next: &'static [TaskIndex],
    /// The routes of `on`.
    pub on: OnRoutes,
    /// The next task in the sequence.
    pub in_sequence: Option<TaskIndex>,
    /// The facts of the texts of the task.
    pub texts: TaskTexts,
    /// Hash of the task's templates.
    pub prompt_hash: u64,
}

/// The routes of `on`: the targets for failures. A failure without a route halts the run.
#[derive(Debug, Clone, Copy)]
pub struct OnRoutes {
    pub exhausted: Option<TaskIndex>,
    pub truncated: Option<TaskIndex>,
    pub refused: Option<TaskIndex>,
    pub timeout: Option<TaskIndex>,
    pub unreachable: Option<TaskIndex>,
    pub budget: Option<TaskIndex>,
    pub interrupted: Option<TaskIndex>,
}

/// The kind of a task.
#[derive(Debug)]
pub enum TaskKind {
    /// Asks a model.
    Ai(AiDefinition),
    /// Does something for each item of a list.
    Each(EachDefinition),
    /// Runs an async function.
    Code(Effect),
    /// Performs tool calls that the state holds.
    Calls(CallsDefinition),
    /// Asks a person.
    Human,
    /// Runs a sub-process. A function, since two processes that run each other would otherwise be a cycle of
    /// constants; `check_runs_end` reports those.
    Process(fn() -> &'static Definition),
    /// Runs branches at the same time.
    Parallel(ParallelDefinition),
    Gateway,
    End,
    Fail,
}

/// The plain data of a task that asks a model.
#[derive(Debug)]
pub struct AiDefinition {
    /// Engine ids, tried in order; if empty, those of the process.
    pub engines: &'static [&'static str],
    pub settings: SettingsDefinition,
    /// The format of the replies.
    pub format: ReplyFormat,
    /// The media that the templates of the task can show.
    pub media: ShownMedia,
    /// The transitions that the model can choose.
    pub transitions: &'static [TransitionDefinition],
    /// Whether the model is asked for the choice of a transition alone, which needs no call while one is open.
    pub only_chooses: bool,
    /// The tools that the model can call.
    pub tools: ToolUses,
}

/// The plain data of a task that performs tool calls.
#[derive(Debug, Clone, Copy)]
pub struct CallsDefinition {
    /// The tools whose calls the task performs.
    pub tools: ToolUses,
    pub max_concurrency: Option<usize>,
}

/// The plain data of a for-each task.
#[derive(Debug)]
pub struct EachDefinition {
    pub work: EachWork,
    pub max_concurrency: Option<usize>,
    /// The maximum number of items; `None` means no limit.
    pub max_items: Option<usize>,
    pub collect: Collect,
}

/// What a for-each task does with an item.
#[derive(Debug)]
pub enum EachWork {
    /// Asks a model.
    Ai(AiDefinition),
    /// Runs an async function.
    Code(Effect),
    /// Runs a sub-process.
    Process(fn() -> &'static Definition),
}

/// The plain data of a task that runs branches. They join at the target of its `next`.
#[derive(Debug, Clone, Copy)]
pub struct ParallelDefinition {
    /// When the task is done.
    pub join: Join,
    /// The first task of each branch.
    pub branches: &'static [TaskIndex],
}

/// The plain data of a transition.
#[derive(Debug, Clone, Copy)]
pub struct TransitionDefinition {
    pub target: TaskIndex,
    /// Whether the model provides the inputs of the target.
    pub with_model: bool,
}

/// Creates transitions to these tasks, without inputs of a model.
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

/// The task that a `process_output` chose, with its inputs.
#[derive(Debug, Clone)]
pub struct ChosenTask {
    pub task: TaskIndex,
    pub inputs: Option<Inputs>,
}

impl Definition {
    /// Returns the task at an index that is generated or was validated with a snapshot.
    pub fn task(&self, index: TaskIndex) -> &'static TaskDefinition {
        &self.tasks[index]
    }
}

impl OnRoutes {
    /// No routes: every failure halts the run.
    pub const NONE: Self = Self {
        exhausted: None,
        truncated: None,
        refused: None,
        timeout: None,
        unreachable: None,
        budget: None,
        interrupted: None,
    };

    /// The names of the routes.
    pub(crate) const NAMES: [&str; 7] =
        ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget", "interrupted"];

    /// Returns the declared routes with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, TaskIndex)> {
        let targets = [
            self.exhausted,
            self.truncated,
            self.refused,
            self.timeout,
            self.unreachable,
            self.budget,
            self.interrupted,
        ];
        Self::NAMES.into_iter().zip(targets).filter_map(|(name, target)| Some((name, target?)))
    }
}

impl TaskKind {
    /// Returns the settings of the model call, if the task asks a model.
    pub const fn ai(&self) -> Option<&AiDefinition> {
        match self {
            Self::Ai(ai) | Self::Each(EachDefinition { work: EachWork::Ai(ai), .. }) => Some(ai),
            _ => None,
        }
    }

    /// Returns the tools that can be called within a task.
    pub const fn tools(&self) -> &'static [ToolIndex] {
        match self {
            Self::Calls(calls) => calls.tools.tools,
            kind => match kind.ai() {
                Some(ai) => ai.tools.tools,
                None => &[],
            },
        }
    }

    /// Returns the maximum number of tool calls in a visit of the task, if it sets one.
    pub const fn max_tool_calls(&self) -> Option<u32> {
        match self {
            Self::Calls(calls) => calls.tools.max_calls,
            kind => match kind.ai() {
                Some(ai) => ai.tools.max_calls,
                None => None,
            },
        }
    }

    /// Returns the data of a task that performs tool calls.
    pub const fn calls(&self) -> Option<&CallsDefinition> {
        match self {
            Self::Calls(calls) => Some(calls),
            _ => None,
        }
    }

    /// Returns the kind without its data.
    pub const fn tag(&self) -> KindTag {
        match self {
            Self::Ai(_) => KindTag::Ai,
            Self::Each(each) => match each.work {
                EachWork::Ai(_) => KindTag::ForEach,
                EachWork::Code(_) => KindTag::ForEachFunction,
                EachWork::Process(_) => KindTag::ForEachProcess,
            },
            Self::Code(_) => KindTag::Code,
            Self::Calls(_) => KindTag::Calls,
            Self::Human => KindTag::Human,
            Self::Process(_) => KindTag::Process,
            Self::Parallel(_) => KindTag::Parallel,
            Self::Gateway => KindTag::Gateway,
            Self::End => KindTag::End,
            Self::Fail => KindTag::Fail,
        }
    }

    /// Returns the properties of the kind.
    pub const fn info(&self) -> KindInfo {
        self.tag().info()
    }

    /// Returns the branches that a task runs, if it is a parallel one.
    pub const fn parallel(&self) -> Option<&ParallelDefinition> {
        match self {
            Self::Parallel(parallel) => Some(parallel),
            _ => None,
        }
    }

    /// Returns the process that a task runs.
    pub fn process(&self) -> Option<&'static Definition> {
        match self {
            Self::Process(definition)
            | Self::Each(EachDefinition { work: EachWork::Process(definition), .. }) => {
                Some(definition())
            }
            _ => None,
        }
    }

    /// Returns whether the task is a for-each task.
    pub(crate) const fn is_each(&self) -> bool {
        matches!(self, Self::Each(_))
    }

    /// Returns what a for-each task does with items that fail.
    pub const fn collect(&self) -> Collect {
        match self {
            Self::Each(each) => each.collect,
            _ => Collect::All,
        }
    }

    /// Returns the effect of the function of a task.
    pub const fn effect(&self) -> Effect {
        match self {
            Self::Code(effect)
            | Self::Each(EachDefinition { work: EachWork::Code(effect), .. }) => *effect,
            _ => Effect::Repeatable,
        }
    }

    /// Returns whether the reply is numbered reasoning.
    pub fn reasons(&self) -> bool {
        self.ai().is_some_and(|ai| ai.format.is_reasoning())
    }

    /// Returns the name of the function that reads the replies in a format of the program's own.
    pub fn reader(&self) -> Option<&'static str> {
        self.ai()?.format.reader()
    }
}
