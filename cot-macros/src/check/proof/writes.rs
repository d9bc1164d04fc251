//! Finds the state fields that each task writes.

use cot_syntax::{PathSegment, Write};

use crate::{
    check::fields,
    model::{Model, Task},
};

/// Returns whether a task writes the field whenever it succeeds. An invalid update counts as a write.
pub(super) fn writes(model: &Model<'_>, task: &Task<'_>, field: usize) -> bool {
    if task.syntax.invalid.may_include(&["update"]) {
        return true;
    }
    whole_writes(model, task, field).any(|write| write.guard.is_none())
}

/// Returns whether a task writes the field only under a condition.
pub(super) fn may_write(model: &Model<'_>, task: &Task<'_>, field: usize) -> bool {
    whole_writes(model, task, field).any(|write| write.guard.is_some())
}

/// Returns the writes of a task that give the field its value or create it.
pub(super) fn whole_writes<'a>(
    model: &Model<'_>,
    task: &Task<'a>,
    field: usize,
) -> impl Iterator<Item = &'a Write> {
    let writes = task.syntax.items.update.iter().flat_map(|item| &item.value.writes);
    writes.filter(move |write| is_whole(write) && writes_to(model, write) == Some(field))
}

/// Returns whether a write gives a field its value or creates it.
pub(in crate::check) fn is_whole(write: &Write) -> bool {
    matches!(write.path.segments[..], [_] | [_, PathSegment::Create(_), ..])
}

/// Returns the index of the field that a write affects. A misspelled name is resolved to the most similar
/// one.
pub(in crate::check) fn writes_to(model: &Model<'_>, write: &Write) -> Option<usize> {
    fields::resolve_field(model, fields::root_field(&write.path)?)
}
