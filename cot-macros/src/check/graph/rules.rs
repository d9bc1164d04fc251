//! Rules about the paths between tasks.

use cot_syntax::{TaskKind, diagnostics::Errors};
use proc_macro2::Span;

use super::{ends::Ends, task_graph::TaskGraph};
use crate::model::{Model, Task};

/// Checks that every task can be reached from `start`.
pub(in crate::check) fn check_every_task_is_reached(
    model: &Model<'_>,
    graph: &TaskGraph,
    errors: &Errors,
) {
    // A task that leads nowhere is reported instead of the tasks after it.
    if model.incomplete || !find_unmarked_ends(model, graph).is_empty() {
        return;
    }
    for head in graph.heads_of_unreached() {
        let task = &model.tasks[head];
        errors.add_with_help(
            task.name().span(),
            format!("task `{}` is never reached", task.name()),
            why_unreached(model, graph, head),
        );
    }
}

fn why_unreached(model: &Model<'_>, graph: &TaskGraph, unreached: usize) -> String {
    if let Some(before) = find_missing_next(model, graph, unreached) {
        return format!(
            "`{}`, before it, has no `next`: write `next: {}` in it, or lead here by a \
             transition or a sequence",
            before.name(),
            model.tasks[unreached].name(),
        );
    }
    let before = model.tasks.iter().find(|task| task.in_sequence == Some(unreached));
    match before.and_then(|task| Some((task.name(), why_sequence_ends(task)?))) {
        Some((name, why)) => {
            format!("`{name}`, before it in the sequence, never leads to it: {why}")
        }
        None => format!(
            "no path leads here from `{}`, where the process starts: name it in a transition, in \
             `next` or in a sequence, or remove it",
            model.tasks[model.start].name()
        ),
    }
}

/// Returns the task declared before an unreached one if it has no `next`, which the author may have
/// forgotten.
fn find_missing_next<'m, 'a>(
    model: &'m Model<'a>,
    graph: &TaskGraph,
    unreached: usize,
) -> Option<&'m Task<'a>> {
    let before = model.tasks.get(unreached.checked_sub(1)?)?;
    (graph.reached[before.index] && graph.returns[before.index]).then_some(before)
}

/// Returns why a task does not lead to the next one in its sequence, or `None` if it does.
fn why_sequence_ends(task: &Task<'_>) -> Option<&'static str> {
    if task.kind.is_terminal() {
        Some("it is a terminal")
    } else if task.kind == TaskKind::Parallel {
        Some("it continues where its branches join")
    } else if !task.choices.is_empty() {
        Some("its `process_output` chooses where to go")
    } else if !task.next.is_empty() {
        Some("it has `next`")
    } else if task.output.is_none() && !task.transitions.is_empty() {
        Some("it leaves by its transitions")
    } else {
        None
    }
}

/// Checks that the process can end from every task that is reached.
pub(in crate::check) fn check_every_task_can_end(
    model: &Model<'_>,
    graph: &TaskGraph,
    errors: &Errors,
) {
    if model.incomplete || model.tasks.is_empty() {
        return;
    }
    // If a `next` is missing, the unreached ends have been reported.
    let unreached = graph.heads_of_unreached();
    if unreached.iter().any(|head| find_missing_next(model, graph, *head).is_some()) {
        return;
    }
    for head in Ends::new(graph).heads_of_stuck() {
        let task = &model.tasks[head];
        errors.add_with_help(
            task.name().span(),
            format!("no end can be reached from task `{}`", task.name()),
            "lead to a terminal: `task done { end }`",
        );
    }
}

/// Checks that a task after which the process can end has `may_end`.
pub(in crate::check) fn check_ends_are_meant(
    model: &Model<'_>,
    graph: &TaskGraph,
    errors: &Errors,
) {
    if model.incomplete {
        return;
    }
    for task in find_unmarked_ends(model, graph) {
        errors.add_with_help(
            task.name().span(),
            format!("task `{}` does not say where the process continues", task.name()),
            "name the task after it (`next: task`) or an end (`task done { end }`), or write `may_end` \
             in it if the process may end here",
        );
    }
}

/// Returns the tasks without `may_end` after which a run can end.
fn find_unmarked_ends<'m, 'a>(model: &'m Model<'a>, graph: &TaskGraph) -> Vec<&'m Task<'a>> {
    let lonely = graph.reached_without_callers(graph.start, None);
    let tasks = model.tasks.iter().filter(|task| lonely[task.index] && graph.returns[task.index]);
    let unclear = |task: &&Task<'_>| {
        let broken = task.syntax.invalid.may_include(&["may_end", "next"]);
        broken || task.incomplete || graph.ends[task.index]
    };
    tasks.filter(|task| task.syntax.items.may_end.is_none() && !unclear(task)).collect()
}

/// Checks that gateways do not form a loop, in which nothing could change.
pub(in crate::check) fn check_gateways_do_not_loop(
    model: &Model<'_>,
    graph: &TaskGraph,
    errors: &Errors,
) {
    for (task, next) in graph.loops.back_edges(model) {
        errors.add_with_help(
            span_of_move(&model.tasks[task], next),
            format!(
                "gateways loop: `{}` leads back to `{}`",
                model.tasks[task].name(),
                model.tasks[next].name()
            ),
            "a gateway only routes, so the same path would be taken forever: \
             put a task that changes something in between",
        );
    }
}

fn span_of_move(task: &Task<'_>, to: usize) -> Span {
    let arm = task.next.iter().find(|edge| edge.target == to);
    arm.map_or(task.name().span(), |edge| edge.syntax.target.span())
}
