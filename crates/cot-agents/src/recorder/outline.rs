//! The tasks and tools of a run, as far as its trace needs them.

use std::collections::BTreeMap;

use cot_engine::internal::{Definition, TaskDefinition, ToolDefinition, ToolSelection};
use cot_store::{Answer, RunHistory, Status, StepHistory};

use super::visit::Outer;

/// The tasks and tools of a process and of its sub-processes: from their definitions, or derived from the
/// history of a run.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The name of the process.
    pub(super) process: String,
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

    /// Derives the outline of a run from its history.
    pub(super) fn from_history(history: &RunHistory) -> Self {
        let process = history.summary.process.clone();
        let origin = history.summary.origin.as_ref();
        let origin = origin.map(|origin| format!(", a fork of {origin}")).unwrap_or_default();
        let about = format!("A run of the process {process}{origin}.");
        let mut outline = Self { process: process.clone(), about, ..Self::default() };
        outline.add_steps(&process, &history.steps);
        if let Status::Asking { key, .. } = &history.summary.status
            && key.approval().is_none()
        {
            let outer: Vec<Outer> = key.visits().map(Outer::from).collect();
            let outer = outer.split_last().map(|(_, outer)| outer).unwrap_or_default();
            let asking = process_of(history, outer).unwrap_or(&process);
            outline.add_performed(asking, key.task(), "A person");
        }
        outline
    }

    fn add_performed(&mut self, process: &str, task: &str, performer: &str) {
        let tasks = self.tasks.entry(process.to_owned()).or_default();
        tasks.entry(task.to_owned()).or_default().is_tool = true;
        self.add_tool(self.tool_name(process, task), format!("{performer}: {task}"));
    }

    fn add_steps(&mut self, process: &str, steps: &[StepHistory]) {
        for step in steps {
            let name = step.process.as_deref().unwrap_or(process);
            if let Some(performer) = performer(step) {
                self.add_performed(name, &step.task, &performer);
            }
            let tasks = self.tasks.entry(name.to_owned()).or_default();
            let task = tasks.entry(step.task.clone()).or_default();
            task.is_parallel |= !step.branches.is_empty();
            task.is_per_item |= is_per_item(step);
            for call in step.tools.iter().filter(|call| call.result.is_some()) {
                self.add_tool(call.tool.clone(), "A tool that models call".to_owned());
            }
            let inner = step.nested.iter().find_map(|nested| nested.process.as_deref());
            self.add_steps(inner.unwrap_or_default(), &step.nested);
        }
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
        }
    }
}

/// Returns the tools that models can call through a declared one, with their descriptions.
fn called_tools(tool: &'static ToolDefinition) -> Vec<(&'static str, String)> {
    if tool.selection == ToolSelection::Function {
        return vec![(tool.name, tool.description.to_owned())];
    }
    let of_source = format!("A tool of `{}`", tool.name);
    tool.selection.names().iter().map(|name| (*name, of_source.clone())).collect()
}

/// Returns the name of the sub-process that these tasks run.
pub(super) fn process_of<'h>(history: &'h RunHistory, outer: &[Outer]) -> Option<&'h str> {
    let mut steps = &history.steps;
    for Outer { task, .. } in outer {
        steps = &steps.iter().rfind(|step| step.task == *task)?.nested;
    }
    steps.last()?.process.as_deref()
}

/// Returns what performed the task of a step, unless a model did or the history does not tell.
fn performer(step: &StepHistory) -> Option<String> {
    if let Some(process) = step.nested.iter().find_map(|nested| nested.process.as_ref()) {
        return Some(format!("The process {process}"));
    }
    if !step.branches.is_empty() {
        return Some("Branches".to_owned());
    }
    let calls = || step.attempts.iter().filter(|attempt| attempt.answer.is_some());
    let is_model = step.transition.is_some()
        || calls().any(|attempt| {
            attempt.prompt.is_some() || matches!(attempt.answer, Some(Answer::Replied { .. }))
        });
    if is_model {
        return None;
    }
    let is_person = calls().any(|attempt| matches!(attempt.answer, Some(Answer::Answered(_))));
    match (is_person, calls().next()) {
        (true, _) => Some("A person".to_owned()),
        (false, Some(_)) => Some("A function".to_owned()),
        (false, None) => None,
    }
}

fn is_per_item(step: &StepHistory) -> bool {
    let is_of_items = step.attempts.iter().any(|attempt| attempt.item.is_some());
    is_of_items || !step.items_done.is_empty() || !step.items_failed.is_empty()
}
