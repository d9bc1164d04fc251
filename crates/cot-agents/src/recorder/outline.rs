//! The tasks and tools of a run, as far as its trace needs them.

use std::collections::BTreeMap;

use cot_engine::{
    RunEvent,
    internal::{Definition, TaskDefinition, ToolDefinition, ToolSelection},
};
use cot_store::{Answer, AttemptHistory, RunSummary};

use super::{
    answers::is_main,
    journal::{Part, StoredRun},
    visit::TaskAt,
};

/// The tasks and tools of a process and of its sub-processes: from their definitions, or derived from the
/// journal of a run.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The name of the process.
    pub(super) process: String,
    /// Whether the definitions of the tasks are known.
    is_defined: bool,
    /// A description of the run, for the system message.
    pub(super) about: String,
    /// The tasks by the name of their process, and their own.
    tasks: BTreeMap<String, BTreeMap<String, TaskOutline>>,
    /// The tools: tasks that are shown as calls, and those that models call.
    pub(super) tools: Vec<ToolOutline>,
}

/// What the trace shows of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TaskOutline {
    /// The title, if it differs from the name.
    pub(super) title: Option<String>,
    /// Whether the trace shows the task as a call of a tool, not as a thought.
    pub(super) is_tool: bool,
    /// Whether the task runs branches.
    pub(super) is_parallel: bool,
    /// Whether the task has an output for each item.
    pub(super) is_per_item: bool,
    /// Whether the task is known to choose a transition.
    pub(super) chooses: bool,
}

/// The definition of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolOutline {
    pub(super) name: String,
    pub(super) description: String,
}

impl Outline {
    /// Returns the outline of a process and its sub-processes.
    pub(super) fn from_definition(process: &'static Definition) -> Self {
        let (name, description) = (process.about.name, process.about.description);
        let mut outline = Self {
            process: name.to_owned(),
            is_defined: true,
            about: format!("A run of the process {name}: {description}"),
            ..Self::default()
        };
        outline.add_process(process);
        outline
    }

    fn add_process(&mut self, process: &'static Definition) {
        let name = process.about.name;
        // Processes can run each other.
        if self.tasks.contains_key(name) {
            return;
        }
        let tasks = process.tasks.iter();
        let tasks =
            tasks.map(|task| (task.about.name.to_owned(), TaskOutline::from_definition(task)));
        self.tasks.insert(name.to_owned(), tasks.collect());
        for task in process.tasks {
            if let Some(performer) = task.kind.info().performer {
                let sub = task.kind.process();
                let sub = sub.map(|sub| format!(" {}", sub.about.name)).unwrap_or_default();
                let description = format!("{performer}{sub}: {}", task.about.title);
                self.add_tool(self.tool_name(name, task.about.name), description);
            }
        }
        for (name, description) in process.tools.tools.iter().flat_map(called_tools) {
            self.add_tool(name.to_owned(), description);
        }
        process
            .tasks
            .iter()
            .filter_map(|task| task.kind.process())
            .for_each(|sub| self.add_process(sub));
    }

    /// Begins the outline of a stored run, whose tasks are learned from its journal.
    pub(super) fn begin_stored(run: &StoredRun) -> Self {
        let RunSummary { process, origin, .. } = &run.summary;
        let origin =
            origin.as_ref().map(|origin| format!(", a fork of {origin}")).unwrap_or_default();
        let about = format!("A run of the process {process}{origin}.");
        let mut outline = Self { process: process.clone(), about, ..Self::default() };
        // The calls of a tool are shown before it is known whether there is such a tool.
        for part in &run.parts {
            if let Part::Event(event) = part
                && let RunEvent::ToolReturned { tool, result: Ok(_), .. } = event.innermost()
            {
                outline.add_tool(tool.clone(), CALLED_TOOL.to_owned());
            }
        }
        outline
    }

    /// Learns what performs a task, unless the definition of its process tells.
    pub(super) fn learn_performer(&mut self, at: TaskAt<'_>, performer: impl FnOnce() -> String) {
        let is_known = |task: &TaskOutline| task.is_tool || task.chooses;
        if self.is_defined || self.task(at.process, at.task).is_some_and(is_known) {
            return;
        }
        self.task_mut(at).is_tool = true;
        let description = format!("{}: {}", performer(), at.task);
        self.add_tool(self.tool_name(at.process, at.task), description);
    }

    /// Learns from an answer what performs a task, unless it is a model.
    pub(super) fn learn_from(&mut self, at: TaskAt<'_>, answer: &AttemptHistory) {
        let performer = match &answer.answer {
            Some(Answer::Answered(_)) => "A person",
            Some(Answer::Replied { .. }) | None => return,
            Some(_) => "A function",
        };
        if answer.prompt.is_none() && answer.key.as_ref().is_some_and(is_main) {
            self.learn_performer(at, || performer.to_owned());
        }
    }

    /// Learns about a task, unless the definition of its process tells.
    pub(super) fn learn(&mut self, at: TaskAt<'_>, learn: impl FnOnce(&mut TaskOutline)) {
        if !self.is_defined {
            learn(self.task_mut(at));
        }
    }

    fn task_mut(&mut self, at: TaskAt<'_>) -> &mut TaskOutline {
        let tasks = self.tasks.entry(at.process.to_owned()).or_default();
        tasks.entry(at.task.to_owned()).or_default()
    }

    /// Adds a tool, unless there is one of that name, or the format does not allow the name.
    pub(super) fn add_tool(&mut self, name: String, description: String) {
        let is_valid = !name.is_empty() && !name.contains(char::is_whitespace);
        if is_valid && !self.has_tool(&name) {
            self.tools.push(ToolOutline { name, description });
        }
    }

    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Returns the name of the tool that stands for a task.
    pub(super) fn tool_name(&self, process: &str, task: &str) -> String {
        if process == self.process { task.to_owned() } else { format!("{process}::{task}") }
    }

    pub(super) fn task(&self, process: &str, task: &str) -> Option<&TaskOutline> {
        self.tasks.get(process)?.get(task)
    }
}

impl TaskOutline {
    fn from_definition(task: &TaskDefinition) -> Self {
        let (about, info) = (&task.about, task.kind.info());
        Self {
            title: Some(about.title).filter(|title| *title != about.name).map(str::to_owned),
            is_tool: info.performer.is_some(),
            is_parallel: info.manifest_name == "parallel",
            is_per_item: info.is_per_item,
            chooses: false,
        }
    }
}

/// The description of a tool of which no definition is known.
pub(super) const CALLED_TOOL: &str = "A tool that models call";

/// Returns the tools that models can call through a declared one, with their descriptions.
fn called_tools(tool: &'static ToolDefinition) -> Vec<(&'static str, String)> {
    if tool.selection == ToolSelection::Function {
        return vec![(tool.name, tool.description.to_owned())];
    }
    let of_source = format!("A tool of `{}`", tool.name);
    tool.selection.names().iter().map(|name| (*name, of_source.clone())).collect()
}
