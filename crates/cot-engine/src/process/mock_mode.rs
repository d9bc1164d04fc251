//! Modes that select the tasks answered by their mocks.

use serde::{Deserialize, Serialize};

use crate::process::{
    tables::{Definition, TaskDefinition},
    tool::definition::ToolDefinition,
    types::TaskId,
};

/// Selects the tasks of a run that are answered by their `mock` instead of a model, a person or a function.
///
/// The `mock_mode` of a task takes precedence over this mode, and this mode over the `mock_mode` of the
/// process. In a sub-process, mocks answer either all tasks or none, as they would answer the task that runs
/// it.
///
/// ```
/// # use cot_core::{MockMode, prelude::*};
/// # use serde::{Deserialize, Serialize};
/// # use schemars::JsonSchema;
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Text { text: String }
/// # #[derive(Debug, Clone, Default, Serialize, Deserialize)]
/// # pub struct Notes { texts: Vec<String> }
/// # fn made_up(_: &Notes) -> Text { Text { text: "made up".to_owned() } }
/// use cot_core::model::ScriptedModel;
///
/// cot_process! {
///     process Report {
///         state: Notes,
///         task search -> Text { prompt: "Search.", mock: made_up, update: { texts[] = output.text }, next: write }
///         task write -> Text { prompt: "Write.", update: { texts[] = output.text }, next: done }
///         task done { end }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let model = ScriptedModel::new([r#"{ "text": "asked" }"#]);
/// let runner = Report::runner().model(model).mock_mode(MockMode::Only(vec![ReportTask::Search]));
/// let run = runner.run(Notes::default()).await?;
/// assert_eq!(run.state.texts, ["made up", "asked"]);
/// # Ok::<_, RunError>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MockMode<T = String> {
    /// All tasks that have a `mock`. Each task that asks a model must have one.
    All,
    /// No task.
    None,
    /// Only these tasks. Each must have a `mock` or run a sub-process.
    Only(Vec<T>),
    /// All tasks except these.
    Except(Vec<T>),
}

impl<T: TaskId> MockMode<T> {
    /// Converts the tasks into names, as [`MachineOptions`](crate::process::options::MachineOptions) require.
    #[must_use]
    pub fn into_names(self) -> MockMode {
        let names = |tasks: Vec<T>| tasks.into_iter().map(|task| task.name().to_owned()).collect();
        match self {
            Self::All => MockMode::All,
            Self::None => MockMode::None,
            Self::Only(tasks) => MockMode::Only(names(tasks)),
            Self::Except(tasks) => MockMode::Except(names(tasks)),
        }
    }
}

impl MockMode {
    /// Returns whether the mode selects a task.
    fn selects(&self, task: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(tasks) => tasks.iter().any(|name| name == task),
            Self::Except(tasks) => tasks.iter().all(|name| name != task),
        }
    }

    /// Returns the mode of the sub-process of a task.
    #[doc(hidden)]
    pub fn within(&self, task: &TaskDefinition) -> &'static Self {
        let is_on = task.mock_mode.unwrap_or_else(|| self.selects(task.about.name));
        if is_on { &Self::All } else { &Self::None }
    }

    /// Returns whether the mode selects a task or a tool by name, and thus requires its mock.
    pub(crate) fn names(&self, name: &str) -> bool {
        matches!(self, Self::Only(_)) && self.selects(name)
    }

    /// Returns the first name in the mode that is neither a task nor a tool of the process.
    pub(crate) fn unknown_task(&self, definition: &Definition) -> Option<&str> {
        let is_known = |name: &str| {
            definition.tasks.iter().any(|task| task.about.name == name)
                || definition.tools.tools.iter().any(|tool| tool.name == name)
        };
        match self {
            Self::All | Self::None => None,
            Self::Only(tasks) | Self::Except(tasks) => {
                tasks.iter().map(String::as_str).find(|name| !is_known(name))
            }
        }
    }
}

impl Definition {
    /// Returns whether mock mode is on for a task, in a run with this mode.
    pub(crate) fn has_mock_mode(&self, task: &TaskDefinition, run_mode: Option<&MockMode>) -> bool {
        let run_mode = run_mode.map(|mode| mode.selects(task.about.name));
        task.mock_mode.or(run_mode).or(self.mock_mode).unwrap_or(false)
    }

    /// Returns whether a tool is answered by its `mock`, in a run with this mode. A mode that names tasks can
    /// name tools too.
    pub fn is_tool_mocked(&self, tool: &ToolDefinition, run_mode: Option<&MockMode>) -> bool {
        let run_mode = run_mode.map(|mode| mode.selects(tool.name));
        tool.has_mock && run_mode.or(self.mock_mode).unwrap_or(false)
    }

    /// Returns whether a task is answered by its `mock`, in a run with this mode.
    pub fn is_mocked(&self, task: &TaskDefinition, run_mode: Option<&MockMode>) -> bool {
        task.has_mock && self.has_mock_mode(task, run_mode)
    }
}

impl<T> From<bool> for MockMode<T> {
    fn from(is_on: bool) -> Self {
        if is_on { Self::All } else { Self::None }
    }
}

/// The JSON of a mode: `true`, `false`, `{"only": […]}` or `{"except": […]}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Json {
    All(bool),
    Some(Tasks),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tasks {
    Only(Vec<String>),
    Except(Vec<String>),
}

impl Serialize for MockMode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = match self {
            Self::All => Json::All(true),
            Self::None => Json::All(false),
            Self::Only(tasks) => Json::Some(Tasks::Only(tasks.clone())),
            Self::Except(tasks) => Json::Some(Tasks::Except(tasks.clone())),
        };
        json.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MockMode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Json::deserialize(deserializer)? {
            Json::All(is_on) => is_on.into(),
            Json::Some(Tasks::Only(tasks)) => Self::Only(tasks),
            Json::Some(Tasks::Except(tasks)) => Self::Except(tasks),
        })
    }
}
