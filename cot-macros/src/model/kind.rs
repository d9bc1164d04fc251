//! Determines the kind of a task from its items.

use cot_syntax::{Task, TaskItems, TaskKind};
use proc_macro2::Ident;

/// Returns the items of a task that determine its kind, in order.
fn kind_items(task: &Task) -> impl Iterator<Item = (TaskKind, &Ident)> {
    task.keys.iter().filter_map(|key| Some((TaskItems::TABLE.row(key)?.decides?, key)))
}

/// Returns the first two items that determine different kinds, if any.
pub(super) fn conflicting_kinds(task: &Task) -> Option<[(TaskKind, &Ident); 2]> {
    let pairs = kind_items(task)
        .enumerate()
        .flat_map(|(place, first)| kind_items(task).skip(place + 1).map(move |it| [first, it]));
    pairs.into_iter().find(|&[first, second]| !kinds_agree(first, second))
}

fn kinds_agree((kind, key): (TaskKind, &Ident), (other, other_key): (TaskKind, &Ident)) -> bool {
    kind == other
        || is_refined(kind, other, other_key)
        || is_refined(other, kind, key)
        || for_each_item(kind, other).is_some()
}

/// Returns the kind of a for-each task that does for each item what another kind does once.
const fn for_each_item(kind: TaskKind, other: TaskKind) -> Option<TaskKind> {
    match (kind, other) {
        (TaskKind::Each, TaskKind::Code) | (TaskKind::Code, TaskKind::Each) => {
            Some(TaskKind::EachCode)
        }
        (TaskKind::Each, TaskKind::Process) | (TaskKind::Process, TaskKind::Each) => {
            Some(TaskKind::EachProcess)
        }
        _ => None,
    }
}

/// Returns whether a kind refines the AI kind that another item determines: a for-each task accepts a
/// prompt, which alone makes an AI task.
fn is_refined(kind: TaskKind, other: TaskKind, other_key: &Ident) -> bool {
    let row = TaskItems::TABLE.row(other_key);
    kind != other && other == TaskKind::Ai && row.is_some_and(|row| row.kinds.contains(&kind))
}

/// Returns whether an invalid item would determine the kind.
pub(super) fn is_uncertain(task: &Task) -> bool {
    let mut rows = TaskItems::TABLE.rows().iter().filter(|row| row.decides.is_some());
    rows.any(|row| task.invalid.may_include(&[row.key]))
}

/// Determines the kind from the items. An invalid value does not change it, since code outside of the process
/// uses the types that depend on the kind.
pub(super) fn decide_kind(task: &Task) -> TaskKind {
    // The output of a sub-process is the state of the process that the value names.
    let can_be_read = |kind| kind != TaskKind::Process || task.items.process.is_some();
    let mut others =
        kind_items(task).filter(|&(kind, _)| kind != TaskKind::Ai && can_be_read(kind));
    let alone = others.next();
    let asks = task.output.is_some()
        || task.items.prompt.is_some()
        || task.items.full_prompt.is_some()
        || task.reason().is_some()
        || task.read().is_some()
        || task.items.transitions.is_some();
    match alone {
        _ if task.branches.is_some() => TaskKind::Parallel,
        Some((kind, _)) => others.find_map(|(other, _)| for_each_item(kind, other)).unwrap_or(kind),
        None if asks => TaskKind::Ai,
        None if task.items.next.is_some() => TaskKind::Gateway,
        None => TaskKind::Unknown,
    }
}
