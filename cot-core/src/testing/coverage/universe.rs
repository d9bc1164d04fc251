//! What there is to exercise in a process.

use super::exercised::{Exercised, Exit, Row, Way};
use crate::{
    Process,
    blueprint::{AiDefinition, Definition, TaskDefinition, TaskIndex, TaskKind},
};

/// Everything that a process declares, not yet exercised.
pub(super) fn of<P: Process>() -> Exercised {
    let definition = P::DEFINITION;
    let tasks = definition.tasks.iter().enumerate();
    let has_output = |task: TaskIndex| P::CODE.tasks.get(task).is_some_and(|t| t.output.is_some());
    Exercised::new(tasks.map(|(i, task)| row(definition, task, has_output(i))).collect())
}

fn row(definition: &Definition, task: &'static TaskDefinition, has_output: bool) -> Row {
    let mut exits = Vec::new();
    let mut has_retries = false;
    if let TaskKind::Ai(ai) = &task.kind {
        has_retries = ai.max_retries.or(definition.max_retries) != Some(0);
        exits.extend(to_each(ai.transitions, |_| Way::Transition));
    }
    let is_end = matches!(task.kind, TaskKind::End | TaskKind::Fail);
    if has_output || !matches!(task.kind, TaskKind::Ai(_) | TaskKind::End | TaskKind::Fail) {
        exits.extend(routes(definition, task));
    }
    Row::new(task.about.name, is_end, has_retries, exits)
}

/// The routes after an output. The last arm of `next` has no guard, and a `process_output` that
/// chooses always does: nothing comes after them.
fn routes(definition: &Definition, task: &TaskDefinition) -> Vec<Exit> {
    let mut routes: Vec<_> = to_each(choices(task), |_| Way::Choice).collect();
    routes.extend(to_each(task.next, Way::Next));
    if routes.is_empty() {
        let sequence = task.in_sequence.map(|to| Exit::new(Way::Sequence, Some(to)));
        let default = definition.default_return.map(|to| Exit::new(Way::DefaultReturn, Some(to)));
        routes.push(sequence.or(default).unwrap_or_else(|| Exit::new(Way::Return, None)));
    }
    routes
}

fn choices(task: &TaskDefinition) -> &'static [TaskIndex] {
    match &task.kind {
        TaskKind::Ai(AiDefinition { choices, .. }) => choices,
        _ => &[],
    }
}

fn to_each(
    targets: &'static [TaskIndex],
    way: impl Fn(usize) -> Way,
) -> impl Iterator<Item = Exit> {
    targets.iter().enumerate().map(move |(i, to)| Exit::new(way(i), Some(*to)))
}
