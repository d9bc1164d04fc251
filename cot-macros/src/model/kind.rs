//! The kind of a task, which its items decide.

use cot_syntax::{Task, TaskItems, TaskKind};
use proc_macro2::Ident;

/// The items of a task that decide its kind, in their order.
fn deciding(task: &Task) -> impl Iterator<Item = (TaskKind, &Ident)> {
    task.keys.iter().filter_map(|key| Some((TaskItems::TABLE.row(key)?.decides?, key)))
}

/// The first two items that decide different kinds, if there are such.
pub(super) fn conflicting_kinds(task: &Task) -> Option<[(TaskKind, &Ident); 2]> {
    let first = deciding(task).next()?;
    let second = deciding(task).find(|&second| !agree(first, second))?;
    Some([first, second])
}

fn agree((kind, key): (TaskKind, &Ident), (other, other_key): (TaskKind, &Ident)) -> bool {
    kind == other || is_narrowed(kind, other, other_key) || is_narrowed(other, kind, key)
}

/// Whether a kind decides more exactly what another item, which it can have, decides too: a for-each task
/// has a prompt as an AI task has.
fn is_narrowed(kind: TaskKind, other: TaskKind, other_key: &Ident) -> bool {
    let row = TaskItems::TABLE.row(other_key);
    kind != other && other == TaskKind::Ai && row.is_some_and(|row| row.kinds.contains(&kind))
}

/// Whether an item that can't be read would decide the kind.
pub(super) fn is_hidden(task: &Task) -> bool {
    let mut rows = TaskItems::TABLE.rows().iter().filter(|row| row.decides.is_some());
    rows.any(|row| task.invalid.may_include(&[row.key]))
}

/// The kind that the items decide, as far as they can be read.
pub(super) fn decide_kind(task: &Task) -> TaskKind {
    // A for-each task is one whatever its list: what it gives is a list too.
    let can_be_read = |kind, key| kind == TaskKind::Each || !task.invalid.includes(key);
    let alone = deciding(task).find(|&(kind, key)| kind != TaskKind::Ai && can_be_read(kind, key));
    let asks = task.output.is_some()
        || task.items.prompt.is_some()
        || task.items.full_prompt.is_some()
        || task.reason().is_some()
        || task.items.transitions.is_some();
    match alone {
        Some((kind, _)) => kind,
        None if asks => TaskKind::Ai,
        None if task.items.next.is_some() => TaskKind::Gateway,
        None => TaskKind::Unknown,
    }
}
