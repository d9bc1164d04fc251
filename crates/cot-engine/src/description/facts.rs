//! The facts of a description. They serialize as the manifest, so renaming a field here changes the manifest.

use cot_model::ModelSettings;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    description::layout::Layout,
    process::{kind_info::KindInfo, tables::TaskIndex},
    protocol::run_event::route::Route,
    snapshot::fingerprint::Fingerprint,
    values::budget::Budget,
};

/// The facts of a process and of its sub-processes.
#[derive(Debug, Clone)]
pub(super) struct DescriptionFacts {
    pub(super) root: ProcessFacts,
    /// The sub-processes, by key, each once.
    pub(super) sub_processes: Vec<(String, ProcessFacts)>,
}

impl DescriptionFacts {
    /// Returns the sub-process with a key.
    pub(super) fn sub_process(&self, key: &str) -> Option<&ProcessFacts> {
        if key == self.root.name {
            return None;
        }
        self.sub_processes.iter().find(|(other, _)| other == key).map(|(_, facts)| facts)
    }
}

/// The facts of a process.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ProcessFacts {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// The name of the state's type.
    pub(super) state: String,
    pub(super) goal: GoalFacts,
    pub(super) start: Option<&'static str>,
    pub(super) default_return: Option<&'static str>,
    pub(super) engines: &'static [&'static str],
    /// The settings of the model calls, those that are set.
    pub(super) settings: ModelSettings,
    pub(super) max_retries: Option<u32>,
    pub(super) max_steps: Option<u64>,
    pub(super) timeout_ms: Option<u64>,
    pub(super) budget: Budget,
    pub(super) history: HistoryFacts,
    pub(super) mock_mode: Option<bool>,
    pub(super) parts: Vec<&'static str>,
    pub(super) sequences: Vec<Vec<&'static str>>,
    pub(super) tasks: Vec<TaskFacts>,
    pub(super) fingerprint: &'static Fingerprint,
    #[serde(skip)]
    pub(super) start_index: TaskIndex,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct GoalFacts {
    pub(super) declared: bool,
    pub(super) used: bool,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct HistoryFacts {
    pub(super) kept: bool,
    pub(super) max_items: Option<usize>,
    pub(super) state_max_items: Option<usize>,
}

/// The facts of a task.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TaskFacts {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    #[serde(serialize_with = "kind_name")]
    pub(super) kind: KindInfo,
    /// The key of the sub-process that the task runs.
    pub(super) process: Option<String>,
    /// Whether the reply is numbered reasoning.
    pub(super) reasons: bool,
    pub(super) engines: &'static [&'static str],
    /// The settings of the model calls, those that are set.
    pub(super) settings: ModelSettings,
    /// The kinds of media that the prompt can show.
    pub(super) media: Vec<&'static str>,
    /// The layout of the prompts, if the task asks a model.
    pub(super) layout: Option<Layout>,
    pub(super) max_concurrency: Option<usize>,
    pub(super) max_retries: Option<u32>,
    /// Whether the function of the task is called once even if its outcome is unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) once: bool,
    pub(super) timeout_ms: Option<u64>,
    pub(super) wait_ms: Option<u64>,
    pub(super) history: bool,
    pub(super) mock: bool,
    pub(super) mock_mode: Option<bool>,
    pub(super) inputs: Option<InputsFacts>,
    pub(super) output: Option<OutputFacts>,
    pub(super) transitions: Vec<TransitionFacts>,
    pub(super) next: Vec<ArmFacts>,
    pub(super) choices: Vec<&'static str>,
    pub(super) on: Map<String, Value>,
    #[serde(rename = "ways")]
    pub(super) edges: Vec<Edge>,
}

/// The inputs of a task.
#[derive(Debug, Clone, Serialize)]
pub(super) struct InputsFacts {
    /// The JSON schema, if a model can provide the inputs.
    pub(super) schema: Option<Value>,
}

/// The output of a task.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OutputFacts {
    /// The name of the type, if known; for a for-each task, the type of one item.
    #[serde(rename = "type")]
    pub(super) name: Option<String>,
    pub(super) schema: Option<Value>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct TransitionFacts {
    pub(super) task: &'static str,
    pub(super) label: bool,
    pub(super) guard: bool,
    pub(super) with: Option<InputsSource>,
}

/// The source of the inputs of a transition.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum InputsSource {
    Expression,
    Model,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ArmFacts {
    pub(super) task: &'static str,
    pub(super) guard: bool,
    pub(super) with: Option<InputsSource>,
}

/// A possible next task, and the route to it.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Edge {
    /// The next task; `None` if the run ends.
    pub(super) task: Option<&'static str>,
    #[serde(serialize_with = "route_name")]
    pub(super) route: Route,
    pub(super) guard: bool,
    #[serde(skip)]
    pub(super) index: Option<TaskIndex>,
}

fn kind_name<S: serde::Serializer>(kind: &KindInfo, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.manifest_name)
}

fn route_name<S: serde::Serializer>(route: &Route, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match route {
        Route::Transition => "transition",
        Route::Choice => "choice",
        Route::Next(_) | Route::AnyNext => "next",
        Route::Sequence => "sequence",
        Route::DefaultReturn => "default_return",
        Route::Return => "return",
        Route::On(name) => name,
        Route::End => "end",
    })
}

impl ProcessFacts {
    /// Returns the title of a next task.
    pub(super) fn title_of(&self, edge: &Edge) -> Option<&'static str> {
        Some(self.tasks.get(edge.index?)?.title)
    }
}
