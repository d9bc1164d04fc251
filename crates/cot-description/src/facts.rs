//! The facts of a description. They serialize as the manifest, so renaming a field here changes the manifest.

use cot_engine::{
    Budget, Quantity, WorstCase,
    internal::{Fingerprint, KindInfo, TaskIndex},
};
use cot_model::ModelSettings;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::layout::Layout;

/// The facts of a process and of its sub-processes.
#[derive(Debug, Clone)]
pub(crate) struct DescriptionFacts {
    pub(crate) root: ProcessFacts,
    /// The sub-processes, by key, each once.
    pub(crate) sub_processes: Vec<(String, ProcessFacts)>,
}

impl DescriptionFacts {
    /// Returns the sub-process with a key.
    pub(crate) fn sub_process(&self, key: &str) -> Option<&ProcessFacts> {
        if key == self.root.name {
            return None;
        }
        self.sub_processes.iter().find(|(other, _)| other == key).map(|(_, facts)| facts)
    }
}

/// The facts of a process.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ProcessFacts {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// The name of the state's type.
    pub(crate) state: String,
    pub(crate) goal: GoalFacts,
    pub(crate) start: Option<&'static str>,
    pub(crate) default_return: Option<&'static str>,
    pub(crate) engines: &'static [&'static str],
    /// The settings of the model calls, those that are set.
    pub(crate) settings: ModelSettings,
    pub(crate) max_retries: Option<u32>,
    pub(crate) max_steps: Option<u64>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) budget: Budget,
    pub(crate) bounds: BoundsFacts,
    pub(crate) history: HistoryFacts,
    pub(crate) mock_mode: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Vec<ToolFacts>,
    /// The marks of trust, if any value is marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trust: Option<TrustFacts>,
    pub(crate) parts: Vec<&'static str>,
    pub(crate) sequences: Vec<Vec<&'static str>>,
    pub(crate) tasks: Vec<TaskFacts>,
    pub(crate) fingerprint: &'static Fingerprint,
    #[serde(skip)]
    pub(crate) start_index: TaskIndex,
}

/// What a run uses up at most; `None` means without bound.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct BoundsFacts {
    #[serde(flatten, serialize_with = "by_quantity")]
    pub(crate) worst_case: WorstCase,
    /// The limit of steps without an answer of a person, if the process needs one and sets none.
    pub(crate) default_steps: Option<u64>,
    /// What the process says in `at_most`.
    pub(crate) at_most: Option<AtMostFacts>,
    /// Why bounds are missing.
    pub(crate) unbounded: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct AtMostFacts {
    pub(crate) calls: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) questions: Option<u64>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct GoalFacts {
    pub(crate) declared: bool,
    pub(crate) used: bool,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct HistoryFacts {
    pub(crate) kept: bool,
    pub(crate) max_items: Option<usize>,
    pub(crate) state_max_items: Option<usize>,
    /// What the history has of tools: `names` or `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<&'static str>,
}

/// The facts of a tool, or of a source of tools.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ToolFacts {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) description: &'static str,
    /// The JSON schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<Value>,
    /// The tools of a source that can be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) only: Option<SelectionFacts>,
    pub(crate) once: bool,
    /// Whether a person approves each call.
    pub(crate) approve: bool,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) max_retries: u32,
    pub(crate) mock: bool,
}

/// The marks of trust of a process.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TrustFacts {
    pub(crate) strict: bool,
    pub(crate) untrusted: &'static [&'static str],
    pub(crate) private: &'static [&'static str],
    /// The members of the state's JSON that can hold private values; `*` is one whose name is not known.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) private_members: &'static [&'static str],
    /// The engines that private values may be shown to.
    pub(crate) engines: &'static [&'static str],
    /// What prompts show of untrusted entries of the history: `shown`, `omit` or `quoted`.
    pub(crate) history: &'static str,
    /// Which marked fields reach which engines.
    pub(crate) flows: Vec<FlowFacts>,
}

/// A task that has to do with marked values.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FlowFacts {
    pub(crate) task: &'static str,
    /// The marked fields that its model is shown, also by way of other values.
    pub(crate) shown: Vec<&'static str>,
    /// The engines that are shown them; empty for the default of the run.
    pub(crate) engines: &'static [&'static str],
    /// Whether its output or its choice is made of untrusted values.
    pub(crate) untrusted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trusts: Option<&'static str>,
}

/// The tools of a source that can be called: a list of names, or `"all"`.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum SelectionFacts {
    Named(&'static [&'static str]),
    All(&'static str),
}

/// The facts of a task.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TaskFacts {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    #[serde(serialize_with = "kind_name")]
    pub(crate) kind: KindInfo,
    /// The key of the sub-process that the task runs.
    pub(crate) process: Option<String>,
    /// Whether the reply is numbered reasoning.
    pub(crate) reasons: bool,
    /// The function that reads replies in a format of the program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reads: Option<&'static str>,
    pub(crate) engines: &'static [&'static str],
    /// The settings of the model calls, those that are set.
    pub(crate) settings: ModelSettings,
    /// The kinds of media that the prompt can show.
    pub(crate) media: Vec<&'static str>,
    /// The layout of the prompts, if the task asks a model.
    pub(crate) layout: Option<Layout>,
    /// The tools that the model can call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tool_calls: Option<u32>,
    pub(crate) max_concurrency: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_items: Option<usize>,
    pub(crate) max_retries: Option<u32>,
    /// Whether a for-each task collects the items that fail.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) collects_failures: bool,
    /// Whether the function of the task is called once even if its outcome is unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) once: bool,
    /// Whether the function of the task is called in the transaction in which its step is committed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) transaction: bool,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) wait_ms: Option<u64>,
    pub(crate) history: bool,
    pub(crate) mock: bool,
    pub(crate) mock_mode: Option<bool>,
    pub(crate) inputs: Option<InputsFacts>,
    pub(crate) output: Option<OutputFacts>,
    pub(crate) transitions: Vec<TransitionFacts>,
    pub(crate) next: Vec<ArmFacts>,
    pub(crate) choices: Vec<&'static str>,
    /// The first tasks of the branches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) branches: Vec<&'static str>,
    /// When a parallel task is done: `all`, `any` or `settled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) join: Option<&'static str>,
    pub(crate) on: Map<String, Value>,
    #[serde(rename = "ways")]
    pub(crate) edges: Vec<Edge>,
}

/// The inputs of a task.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct InputsFacts {
    /// The JSON schema, if a model can provide the inputs.
    pub(crate) schema: Option<Value>,
}

/// The output of a task.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OutputFacts {
    /// The name of the type, if known; for a for-each task, the type of one item.
    #[serde(rename = "type")]
    pub(crate) name: Option<String>,
    pub(crate) schema: Option<Value>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct TransitionFacts {
    pub(crate) task: &'static str,
    pub(crate) label: bool,
    pub(crate) guard: bool,
    pub(crate) with: Option<InputsSource>,
}

/// The source of the inputs of a transition.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InputsSource {
    Expression,
    Model,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ArmFacts {
    pub(crate) task: &'static str,
    pub(crate) guard: bool,
    pub(crate) with: Option<InputsSource>,
}

/// A possible next task, and the route to it.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Edge {
    /// The next task; `None` if the run ends.
    pub(crate) task: Option<&'static str>,
    #[serde(serialize_with = "route_name")]
    pub(crate) route: EdgeRoute,
    pub(crate) guard: bool,
    #[serde(skip)]
    pub(crate) index: Option<TaskIndex>,
}

/// The way to a next task. Those of a finished task are a `Route`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EdgeRoute {
    Transition,
    /// A choice of `process_output`.
    Choice,
    /// The start of a branch.
    Branch,
    /// The join of the branches.
    Join,
    /// The arm of `next`.
    Next(usize),
    Sequence,
    DefaultReturn,
    Return,
    /// A route of `on`, by name.
    On(&'static str),
}

fn by_quantity<S: serde::Serializer>(case: &WorstCase, serializer: S) -> Result<S::Ok, S::Error> {
    let members = Quantity::ALL.map(|quantity| (quantity.key(), case.bound(quantity).get()));
    serializer.collect_map(members)
}

fn kind_name<S: serde::Serializer>(kind: &KindInfo, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.manifest_name)
}

fn route_name<S: serde::Serializer>(route: &EdgeRoute, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match route {
        EdgeRoute::Transition => "transition",
        EdgeRoute::Choice => "choice",
        EdgeRoute::Branch => "branch",
        EdgeRoute::Join => "join",
        EdgeRoute::Next(_) => "next",
        EdgeRoute::Sequence => "sequence",
        EdgeRoute::DefaultReturn => "default_return",
        EdgeRoute::Return => "return",
        EdgeRoute::On(name) => name,
    })
}

impl ProcessFacts {
    /// Returns the title of a next task.
    pub(crate) fn title_of(&self, edge: &Edge) -> Option<&'static str> {
        Some(self.tasks.get(edge.index?)?.title)
    }
}
