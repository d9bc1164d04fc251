//! What each task writes.

use cot_syntax::{PathSegment, Write};

use crate::{
    check::fields,
    model::{Model, Task},
};

/// Whether the field is there once a task has succeeded, or may be for all that is known.
pub(super) fn writes(model: &Model<'_>, task: &Task<'_>, field: usize) -> bool {
    if task.syntax.invalid.may_include(&["update"]) {
        return true;
    }
    whole_writes(model, task, field).any(|write| write.guard.is_none())
}

/// Whether a task writes the field if a condition holds, which proves nothing.
pub(super) fn may_write(model: &Model<'_>, task: &Task<'_>, field: usize) -> bool {
    whole_writes(model, task, field).any(|write| write.guard.is_some())
}

pub(super) fn whole_writes<'a>(
    model: &Model<'_>,
    task: &Task<'a>,
    field: usize,
) -> impl Iterator<Item = &'a Write> {
    let writes = task.syntax.items.update.iter().flat_map(|item| &item.value.writes);
    writes.filter(move |write| is_whole(write) && writes_to(model, write) == Some(field))
}

/// Whether a write gives a field its value, or creates it.
pub(super) fn is_whole(write: &Write) -> bool {
    matches!(write.path.segments[..], [_] | [_, PathSegment::Create(_), ..])
}

/// The field to which a write goes; a misspelled one counts as what it probably means.
pub(super) fn writes_to(model: &Model<'_>, write: &Write) -> Option<usize> {
    fields::meant(model, fields::written(&write.path)?)
}
