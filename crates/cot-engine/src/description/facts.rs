//! What there is to say of a process, as data. Serialized, it is the manifest: what is renamed here is
//! renamed there.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    process::tables::TaskIndex, protocol::run_event::route::Route,
    snapshot::fingerprint::Fingerprint, values::budget::Budget,
};

/// The facts of a process and of the processes within it.
#[derive(Debug, Clone)]
pub(super) struct AllFacts {
    pub(super) root: ProcessFacts,
    /// The processes within, by key, each once.
    pub(super) within: Vec<(String, ProcessFacts)>,
}

impl AllFacts {
    /// The process within that has a key.
    pub(super) fn within(&self, key: &str) -> Option<&ProcessFacts> {
        if key == self.root.name {
            return None;
        }
        self.within.iter().find(|(other, _)| other == key).map(|(_, facts)| facts)
    }
}

/// A process.
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

/// A task.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TaskFacts {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) kind: Kind,
    /// Of a sub-process, its key among the processes.
    pub(super) process: Option<String>,
    /// Whether the model thinks aloud, in a text.
    pub(super) reasons: bool,
    pub(super) engines: &'static [&'static str],
    pub(super) temperature: Option<f64>,
    pub(super) max_tokens: Option<u32>,
    pub(super) max_concurrency: Option<usize>,
    pub(super) max_retries: Option<u32>,
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
    pub(super) ways: Vec<Way>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Ai,
    ForEach,
    Code,
    Human,
    Process,
    Gateway,
    End,
    Fail,
}

/// What a task takes.
#[derive(Debug, Clone, Serialize)]
pub(super) struct InputsFacts {
    /// Where a model may supply them.
    pub(super) schema: Option<Value>,
}

/// What a task gives.
#[derive(Debug, Clone, Serialize)]
pub(super) struct OutputFacts {
    /// The name of the type, where it is known: of a for-each task, of the output for one item.
    #[serde(rename = "type")]
    pub(super) name: Option<String>,
    pub(super) schema: Option<Value>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct TransitionFacts {
    pub(super) task: &'static str,
    pub(super) label: bool,
    pub(super) guard: bool,
    pub(super) with: Option<With>,
}

/// Who supplies the inputs of a transition.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum With {
    Expression,
    Model,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ArmFacts {
    pub(super) task: &'static str,
    pub(super) guard: bool,
    pub(super) with: Option<With>,
}

/// Where a run may go from a task, and why.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Way {
    /// None where the run ends.
    pub(super) task: Option<&'static str>,
    #[serde(serialize_with = "route_name")]
    pub(super) route: Route,
    pub(super) guard: bool,
    #[serde(skip)]
    pub(super) index: Option<TaskIndex>,
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
    /// The title of the task that a way leads to.
    pub(super) fn title_of(&self, way: &Way) -> Option<&'static str> {
        Some(self.tasks.get(way.index?)?.title)
    }
}
