//! Who has to be asked.

use crate::blueprint::{Definition, TaskDefinition, TaskKind};

/// Those of a process's tasks that ask people, and those of processes within it; mocked ones are left
/// out, and each is named once.
pub(super) fn human_tasks(
    definition: &'static Definition,
    tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    mock_mode: Option<bool>,
) -> Vec<&'static str> {
    let mut people = People { mock_mode, seen: Vec::new(), tasks: Vec::new() };
    people.find(definition, tasks);
    people.tasks
}

struct People {
    mock_mode: Option<bool>,
    /// Processes within, looked at once however many tasks run them.
    seen: Vec<&'static Definition>,
    tasks: Vec<&'static str>,
}

impl People {
    fn find(
        &mut self,
        definition: &'static Definition,
        tasks: impl IntoIterator<Item = &'static TaskDefinition>,
    ) {
        for task in tasks {
            match &task.kind {
                TaskKind::Human if !definition.is_mocked(task, self.mock_mode) => {
                    self.tasks.push(task.about.name);
                }
                TaskKind::Process(inner) if !see(&mut self.seen, inner()) => {
                    self.find(inner(), inner().tasks);
                }
                _ => {}
            }
        }
    }
}

/// Takes note of a process; whether it was known.
pub(super) fn see(seen: &mut Vec<&'static Definition>, definition: &'static Definition) -> bool {
    let is_known = seen.iter().any(|known| std::ptr::eq(*known, definition));
    if !is_known {
        seen.push(definition);
    }
    is_known
}

impl Definition {
    /// Whether a task is answered by its `mock`, in a run with this mode.
    pub(super) fn is_mocked(&self, task: &TaskDefinition, mock_mode: Option<bool>) -> bool {
        task.has_mock && task.mock_mode.or(mock_mode).or(self.mock_mode) == Some(true)
    }
}
