//! Finds the human tasks of a process.

use cot_engine::{
    MockMode,
    internal::{Definition, TaskDefinition, TaskKind},
};

/// Returns the names of the human tasks of a process and its sub-processes, without mocked tasks and without
/// duplicates.
pub(crate) fn human_tasks(
    definition: &'static Definition,
    tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    mock_mode: Option<&MockMode>,
) -> Vec<&'static str> {
    let mut people = People { seen: Seen::new(), tasks: Vec::new() };
    people.find(definition, tasks, mock_mode);
    people.tasks
}

struct People {
    /// The sub-processes that were visited.
    seen: Seen,
    tasks: Vec<&'static str>,
}

impl People {
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
                TaskKind::Process(inner) => {
                    let mock_mode = mock_mode.map(|mode| mode.within(task));
                    if !see(&mut self.seen, inner(), mock_mode) {
                        self.find(inner(), inner().tasks, mock_mode);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Processes that were visited, each with the mock mode that it runs in.
pub(crate) type Seen = Vec<(&'static Definition, Option<&'static MockMode>)>;

/// Marks a process as visited. Returns whether it was visited before.
pub(crate) fn see(
    seen: &mut Seen,
    definition: &'static Definition,
    mock_mode: Option<&'static MockMode>,
) -> bool {
    let is_known =
        seen.iter().any(|(known, mode)| is_same(known, definition) && *mode == mock_mode);
    if !is_known {
        seen.push((definition, mock_mode));
    }
    is_known
}

/// Returns whether two tables define the same process. Being constants, they may have several addresses.
pub(crate) fn is_same(one: &Definition, other: &Definition) -> bool {
    one.place == other.place
}
