//! The tasks of a process that are checked.

use std::slice;

use cot_engine::{
    MockMode,
    internal::{ProcessOutline, TaskDefinition, TaskIndex},
};

use crate::preflight::human_tasks::{VisitedProcesses, is_same_process, mark_visited};

/// The tasks of a process and its sub-processes that are not mocked.
pub(super) struct CheckedTasks<'a> {
    root: &'static dyn ProcessOutline,
    alone: Option<&'static TaskDefinition>,
    mock_mode: Option<&'a MockMode>,
}

impl<'a> CheckedTasks<'a> {
    /// Creates the list for a process, or for a task of it that runs alone.
    pub(super) const fn new(
        root: &'static dyn ProcessOutline,
        alone: Option<&'static TaskDefinition>,
        mock_mode: Option<&'a MockMode>,
    ) -> Self {
        Self { root, alone, mock_mode }
    }

    /// Passes each task that asks a model to a function, with its process and its index.
    pub(super) fn for_each(
        &self,
        check: impl FnMut(&'static dyn ProcessOutline, TaskIndex, &'static TaskDefinition),
    ) {
        self.for_each_of(|task| task.kind.ai().is_some(), check);
    }

    /// Passes each task of a kind to a function, with its process and its index. A sub-process that runs in two mock modes
    /// is visited twice.
    pub(super) fn for_each_of(
        &self,
        is_of_kind: impl Fn(&TaskDefinition) -> bool,
        mut check: impl FnMut(&'static dyn ProcessOutline, TaskIndex, &'static TaskDefinition),
    ) {
        let Self { root, alone, mock_mode } = *self;
        let tasks = alone.map_or(root.definition().tasks, slice::from_ref);
        let within = processes_within(tasks, mock_mode);
        for process in root.with_inner() {
            let definition = process.definition();
            if is_same_process(definition, root.definition()) {
                let is_meant = |task: &TaskDefinition| {
                    is_of_kind(task)
                        && alone.is_none_or(|alone| alone.about.name == task.about.name)
                };
                check_tasks(process, mock_mode, is_meant, &mut check);
            }
            for (_, mode) in within.iter().filter(|(it, _)| is_same_process(it, definition)) {
                check_tasks(process, *mode, &is_of_kind, &mut check);
            }
        }
    }
}

fn check_tasks(
    process: &'static dyn ProcessOutline,
    mock_mode: Option<&MockMode>,
    is_meant: impl Fn(&TaskDefinition) -> bool,
    check: &mut impl FnMut(&'static dyn ProcessOutline, TaskIndex, &'static TaskDefinition),
) {
    let definition = process.definition();
    for (index, task) in definition.tasks.iter().enumerate().filter(|(_, task)| is_meant(task)) {
        if !definition.is_mocked(task, mock_mode) {
            check(process, index, task);
        }
    }
}

/// Returns the processes that tasks run, and their sub-processes.
fn processes_within(
    tasks: &'static [TaskDefinition],
    mock_mode: Option<&MockMode>,
) -> VisitedProcesses {
    let mut visited = VisitedProcesses::new();
    let mut next: Vec<_> = tasks.iter().map(|task| (task, mock_mode)).collect();
    while let Some((task, mock_mode)) = next.pop() {
        if let Some(inner) = task.kind.process() {
            let mock_mode = mock_mode.map(|mode| mode.within(task));
            if !mark_visited(&mut visited, inner, mock_mode) {
                next.extend(inner.tasks.iter().map(|task| (task, mock_mode)));
            }
        }
    }
    visited
}
