//! Finds the human tasks of a process.

use cot_engine::{
    MockMode,
    internal::{Definition, TaskDefinition, TaskKind},
};

/// Returns the names of the tasks of a process and its sub-processes that ask a person: human tasks, and tasks with
/// tools that need approval. Without mocked tasks and tools, and without duplicates. `asks` returns whether a tool of the
/// process asks, of which the context of the program knows more than the definition.
pub(crate) fn human_tasks(
    definition: &'static Definition,
    tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    mock_mode: Option<&MockMode>,
    asks: &dyn Fn(usize) -> bool,
) -> Vec<&'static str> {
    let (visited, tasks_found) = (VisitedProcesses::new(), Vec::new());
    let mut found = HumanTasks { visited, tasks: tasks_found, outermost: definition, asks };
    found.find(definition, tasks, mock_mode);
    found.tasks
}

struct HumanTasks<'a> {
    /// The sub-processes that were visited.
    visited: VisitedProcesses,
    tasks: Vec<&'static str>,
    outermost: &'static Definition,
    /// Whether a tool of the outermost process asks.
    asks: &'a dyn Fn(usize) -> bool,
}

impl HumanTasks<'_> {
    fn find(
        &mut self,
        definition: &'static Definition,
        tasks: impl IntoIterator<Item = &'static TaskDefinition>,
        mock_mode: Option<&MockMode>,
    ) {
        for task in tasks {
            match &task.kind {
                TaskKind::Human if !definition.is_mocked(task, mock_mode) => {
                    let name = task.about.name;
                    if !self.tasks.contains(&name) {
                        self.tasks.push(name);
                    }
                }
                // Its function reads the calls: no tool is called.
                TaskKind::Ai(_) if task.kind.reader().is_some() => {}
                TaskKind::Ai(_) | TaskKind::Calls(_) if !definition.is_mocked(task, mock_mode) => {
                    let mut tools = task.kind.tools().iter().copied();
                    let asks = tools.any(|tool| self.asks(tool, definition, mock_mode));
                    if asks && !self.tasks.contains(&task.about.name) {
                        self.tasks.push(task.about.name);
                    }
                }
                kind => {
                    let Some(inner) = kind.process() else { continue };
                    let mock_mode = mock_mode.map(|mode| mode.within(task));
                    if !mark_visited(&mut self.visited, inner, mock_mode) {
                        self.find(inner, inner.tasks, mock_mode);
                    }
                }
            }
        }
    }

    fn asks(
        &self,
        tool: usize,
        definition: &'static Definition,
        mock_mode: Option<&MockMode>,
    ) -> bool {
        let Some(known) = definition.tools.tools.get(tool) else { return false };
        let is_outermost = is_same_process(self.outermost, definition);
        let asks = known.needs_approval || is_outermost && (self.asks)(tool);
        asks && !definition.is_tool_mocked(known, mock_mode)
    }
}

/// Processes that were visited, each with the mock mode that it runs in.
pub(crate) type VisitedProcesses = Vec<(&'static Definition, Option<&'static MockMode>)>;

/// Marks a process as visited. Returns whether it was visited before.
pub(crate) fn mark_visited(
    visited: &mut VisitedProcesses,
    definition: &'static Definition,
    mock_mode: Option<&'static MockMode>,
) -> bool {
    let was_visited = visited
        .iter()
        .any(|(known, mode)| is_same_process(known, definition) && *mode == mock_mode);
    if !was_visited {
        visited.push((definition, mock_mode));
    }
    was_visited
}

/// Returns whether two tables define the same process. Being constants, they may have several addresses.
pub(crate) fn is_same_process(one: &Definition, other: &Definition) -> bool {
    one.place == other.place
}
