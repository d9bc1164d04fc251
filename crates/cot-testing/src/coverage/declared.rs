//! The items that a process declares.

use cot_engine::{
    Process, Route,
    internal::{Definition, TaskDefinition, TaskIndex, TaskKind, ToolSelection},
};

use super::counts::{Exercised, Exit, Row};

/// Returns all items of a process, none of them exercised.
pub(super) fn declared_items<P: Process>() -> Exercised {
    rows(P::DEFINITION, |task| P::CODE.tasks.get(task).is_some_and(|task| task.output.is_some()))
}

/// Takes a function pointer, so that it is compiled once for all processes.
fn rows(definition: &'static Definition, has_output: fn(TaskIndex) -> bool) -> Exercised {
    let tasks = definition.tasks.iter().enumerate();
    Exercised::new(tasks.map(|(i, task)| task_row(definition, task, has_output(i))).collect())
}

fn task_row(definition: &Definition, task: &'static TaskDefinition, has_output: bool) -> Row {
    let mut exits = Vec::new();
    let mut has_retries = false;
    if let Some(ai) = task.kind.ai() {
        has_retries = task.max_retries.or(definition.max_retries) != Some(0);
        let transitions = ai.transitions.iter();
        exits.extend(transitions.map(|it| Exit::new(Route::Transition, Some(it.target))));
    }
    let only_left = matches!(task.kind, TaskKind::Gateway | TaskKind::End | TaskKind::Fail);
    if has_output || !matches!(task.kind, TaskKind::Ai(_) | TaskKind::End | TaskKind::Fail) {
        exits.extend(routes(definition, task));
    }
    exits.extend(task.on.named().map(|(name, to)| Exit::new(Route::On(name), Some(to))));
    // A reader makes no calls.
    let uses = if task.kind.reader().is_some() { &[][..] } else { task.kind.tools() };
    let tools = uses.iter().filter_map(|tool| definition.tools.tools.get(*tool)).flat_map(|tool| {
        // The tools of a source with `only: all` are not declared.
        let is_function = tool.selection == ToolSelection::Function;
        tool.selection.names().iter().copied().chain(is_function.then_some(tool.name))
    });
    Row::new(task.about.name, only_left, has_retries, exits, tools.collect())
}

/// Returns the routes after an output. The last arm of `next` has no guard and a `process_output` without
/// `next` always chooses, so that no other route can follow them.
fn routes(definition: &Definition, task: &TaskDefinition) -> Vec<Exit> {
    let mut routes: Vec<_> = to_each(task.choices, |_| Route::Choice).collect();
    routes.extend(to_each(task.next, Route::Next));
    if routes.is_empty() {
        let sequence = task.in_sequence.map(|to| Exit::new(Route::Sequence, Some(to)));
        let default = definition.default_return.map(|to| Exit::new(Route::DefaultReturn, Some(to)));
        routes.push(sequence.or(default).unwrap_or_else(|| Exit::new(Route::Return, None)));
    }
    routes
}

fn to_each(
    targets: &'static [TaskIndex],
    way: impl Fn(usize) -> Route,
) -> impl Iterator<Item = Exit> {
    targets.iter().enumerate().map(move |(i, to)| Exit::new(way(i), Some(*to)))
}
