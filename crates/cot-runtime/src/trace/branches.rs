//! The tasks of branches.

use cot_engine::internal::{Definition, TaskDefinition, TaskIndex, TaskKind};

/// The tasks of a branch, or of all branches of a parallel task: one flag for each task of the process.
#[derive(Debug)]
pub(super) struct BranchTasks(Vec<bool>);

impl BranchTasks {
    /// Returns the tasks of all branches of a parallel task; `None` for another task.
    pub(super) fn from_parallel(
        definition: &'static Definition,
        task: &'static TaskDefinition,
    ) -> Option<Self> {
        let parallel = task.kind.parallel()?;
        Some(Self::reached_from(definition, task, parallel.branches))
    }

    /// Returns the tasks of the branch of `task` that starts with the task `first`.
    pub(super) fn from_branch(
        definition: &'static Definition,
        task: &'static TaskDefinition,
        first: &str,
    ) -> Option<Self> {
        let first = index_of(definition, first)?;
        Some(Self::reached_from(definition, task, &[first]))
    }

    /// Collects the tasks that can be reached before the join.
    fn reached_from(
        definition: &'static Definition,
        task: &'static TaskDefinition,
        first: &[TaskIndex],
    ) -> Self {
        let mut reached = vec![false; definition.tasks.len()];
        let mut left = first.to_vec();
        while let Some(index) = left.pop() {
            if task.next.contains(&index) || reached.get(index) != Some(&false) {
                continue;
            }
            reached[index] = true;
            left.extend(targets(&definition.tasks[index]));
        }
        Self(reached)
    }

    pub(super) fn contains(&self, index: TaskIndex) -> bool {
        self.0.get(index) == Some(&true)
    }
}

/// Returns the index of the task with a name.
pub(super) fn index_of(definition: &'static Definition, name: &str) -> Option<TaskIndex> {
    definition.tasks.iter().position(|task| task.about.name == name)
}

fn targets(task: &'static TaskDefinition) -> impl Iterator<Item = TaskIndex> {
    let transitions = match &task.kind {
        TaskKind::Ai(ai) => ai.transitions,
        _ => &[],
    };
    let branches = task.kind.parallel().map_or(&[][..], |parallel| parallel.branches);
    let declared = task.next.iter().chain(task.choices).chain(branches).copied();
    let routes = task.on.named().map(|(_, target)| target).chain(task.in_sequence);
    declared.chain(routes).chain(transitions.iter().map(|transition| transition.target))
}
