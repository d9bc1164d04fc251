//! Reports reads of fields that may be unset.

use quote::ToTokens;

use super::{
    paths::{Paths, StepKind},
    reads::{Read, ReadSite, first_use},
    sites::{ReadTime, Site},
    writes::{may_write, writes},
};
use crate::model::{Model, Place};
use cot_syntax::{PathSegment, StateField, StatePath, diagnostics::Errors};

/// Reports a read that the process can reach while the field is unset.
pub(super) fn unproven(
    model: &Model<'_>,
    field: &StateField,
    paths: &Paths<'_>,
    read: &Read<'_>,
    errors: &Errors,
) {
    let name = &field.name;
    // On entering the first task, no path has written anything.
    let always = paths.length(read.task) < 2;
    let message = match read.site {
        ReadSite::Path(path) => {
            format!("`{name}` may not have a value yet when {}", describe_write(path))
        }
        ReadSite::Site(Site::Shown { .. }) if always => {
            format!("`state.{name}` is read before anything has written it")
        }
        _ => format!("`state.{name}` may be read before anything has written it"),
    };
    let mut notes = vec![("note", path_to(model, paths, read))];
    notes.extend(note_own_update(model, read).map(|note| ("note", note)));
    notes.extend(note_conditional_write(model, read).map(|note| ("note", note)));
    notes.push(("help", help(model, field, read, always)));
    emit(model, read, &message, notes, errors);
}

/// Reports a field that is read but never written.
pub(super) fn never_written(
    model: &Model<'_>,
    field: &StateField,
    first: &Read<'_>,
    errors: &Errors,
) {
    let name = &field.name;
    let reader = match first.task {
        Some(task) => format!("task `{}`", model.tasks[task].name()),
        None => "the goal".to_owned(),
    };
    let always = "give it a default in `state` or make it an `input`";
    let (message, note, help) = match first.site {
        ReadSite::Path(path) => (
            format!("`{name}` never gets a first value"),
            format!("in {reader}, {}, so it must already have a value", describe_write(path)),
            format!("{always}, or create it where it is written: `{}`", path_text(path, true)),
        ),
        _ => (
            format!("`{name}` is read, but no task writes it"),
            format!("{reader} reads it"),
            format!(
                "write it in a task (`update: {{ {name} = … }}`), {always}{}",
                hint_for_functions(model, field)
            ),
        ),
    };
    errors.add_with_notes(name.span(), &message, &[("note", &note), ("help", &help)]);
}

/// Returns the hint for a field that a function may write.
fn hint_for_functions(model: &Model<'_>, field: &StateField) -> String {
    let writes = model.tasks.iter().any(|task| task.syntax.items.process_output.is_some());
    match writes {
        true => {
            format!(", or read `state.{}?`: writes of functions are not recognized", field.name)
        }
        false => String::new(),
    }
}

/// Emits an error at the place of a read.
fn emit(
    model: &Model<'_>,
    read: &Read<'_>,
    message: &str,
    mut notes: Vec<(&'static str, String)>,
    errors: &Errors,
) {
    let mut at = |position| notes.insert(0, ("note", position));
    let tokens = match read.site {
        ReadSite::Site(Site::Shown { text, code, at: position, .. }) => {
            let what = if text.included { "file" } else { "template" };
            at(format!("in `{code}`, {position} of the {what}"));
            text.literal.to_token_stream()
        }
        ReadSite::Site(Site::Expr { expr, .. }) => match first_use(model, expr, read.field) {
            Some(used) => used.into_token_stream(),
            None => expr.to_token_stream(),
        },
        ReadSite::Site(Site::Function { path, .. }) => path.to_token_stream(),
        ReadSite::Path(path) => path.to_token_stream(),
    };
    let notes: Vec<_> = notes.iter().map(|(kind, note)| (*kind, note.as_str())).collect();
    errors.add_over_with_notes(tokens, message, &notes);
}

/// Describes the path to a read: `start -> decide -> add_field`.
fn path_to(model: &Model<'_>, paths: &Paths<'_>, read: &Read<'_>) -> String {
    let Some(task) = read.task else {
        return "the goal is rendered once, before the first task".to_owned();
    };
    let mut path = "start".to_owned();
    for (task, step) in paths.to(task) {
        path.push_str(&format!(" -> {}", model.tasks[task].name()));
        let writer = step.from.is_some_and(|from| writes(model, &model.tasks[from], read.field));
        match step.way {
            StepKind::On(when) => path.push_str(&format!(" (on {when})")),
            StepKind::Transition if writer => {
                path.push_str(" (by a transition, which writes nothing)");
            }
            StepKind::Transition | StepKind::Success => {}
        }
    }
    let shown = match read.site {
        ReadSite::Site(Site::Shown { shared: true, .. }) => {
            format!(", and task `{}` shows this text", model.tasks[task].name())
        }
        _ => String::new(),
    };
    format!("nothing writes it on the path {path}{shown}")
}

/// Returns the note about a task that writes the field only under a condition.
fn note_conditional_write(model: &Model<'_>, read: &Read<'_>) -> Option<String> {
    let writer = model.tasks.iter().find(|task| may_write(model, task, read.field))?;
    Some(format!("task `{}` writes it only if its condition holds", writer.name()))
}

/// Returns the note that the reading task writes the field too late, if it writes the field.
fn note_own_update(model: &Model<'_>, read: &Read<'_>) -> Option<String> {
    let task = &model.tasks[read.task?];
    if read.when == ReadTime::After || !writes(model, task, read.field) {
        return None;
    }
    Some(match read.site {
        ReadSite::Site(Site::Expr { place: Place::Write, .. }) | ReadSite::Path(_) => {
            "an update reads the state as it was before the update".to_owned()
        }
        _ => format!("task `{}` writes it only once it has succeeded", task.name()),
    })
}

fn help(model: &Model<'_>, field: &StateField, read: &Read<'_>, always: bool) -> String {
    let name = &field.name;
    let before = match read.task {
        Some(_) if always => "start with a task that writes it, make it an `input`".to_owned(),
        Some(task) => format!("write it in a task before `{}`", model.tasks[task].name()),
        None => "make it an `input`".to_owned(),
    };
    let instead = match read.site {
        ReadSite::Path(path) => format!("create it here: `{}`", path_text(path, true)),
        _ => format!("read it as an `Option`: `state.{name}?`"),
    };
    format!("{before}, give it a default in `state`, or {instead}")
}

/// Describes a write to a part: "`notes[]` appends to it".
fn describe_write(path: &StatePath) -> String {
    let verb = match path.segments.last() {
        Some(PathSegment::Append(_)) => "appends to it",
        Some(PathSegment::Insert(..)) => "inserts into it",
        _ => "writes a part of it",
    };
    format!("`{}` {verb}", path_text(path, false))
}

/// Formats a state path, optionally with the `?` that creates its first field.
fn path_text(path: &StatePath, create: bool) -> String {
    let mut text = String::new();
    for (index, segment) in path.segments.iter().enumerate() {
        match segment {
            PathSegment::Field { dot, member } => {
                text.push_str(if dot.is_some() { "." } else { "" });
                text.push_str(&member.to_token_stream().to_string());
            }
            PathSegment::Create(_) => text.push('?'),
            PathSegment::Append(_) => text.push_str("[]"),
            PathSegment::Insert(_, key) => {
                text.push_str(&format!("[{}]", key.to_token_stream()));
            }
        }
        if create && index == 0 {
            text.push('?');
        }
    }
    text
}
