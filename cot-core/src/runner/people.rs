//! Who has to be asked.

use crate::blueprint::{Definition, TaskKind};

/// The tasks that ask people, in a process and those within it, mocked ones left out.
pub(super) fn human_tasks(
    definition: &'static Definition,
    mock_mode: Option<bool>,
) -> Vec<&'static str> {
    let mut tasks = Vec::new();
    for task in definition.tasks {
        let mocked = task.mock_mode.or(mock_mode).or(definition.mock_mode) == Some(true);
        match &task.kind {
            TaskKind::Human if !(task.has_mock && mocked) => tasks.push(task.about.name),
            TaskKind::Process(inner) => tasks.extend(human_tasks(inner(), mock_mode)),
            _ => {}
        }
    }
    tasks
}
