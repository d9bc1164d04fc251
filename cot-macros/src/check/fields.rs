//! The fields of a state that the process declares.

use proc_macro2::Ident;
use syn::{Expr, Member, ext::IdentExt};

use crate::model::{Model, Place, Seen, StateUses};
use cot_syntax::{
    PathSegment, Piece, StateField, StatePath, Template,
    diagnostics::{Errors, join_names, suggest},
};

/// State paths begin with a field of the state.
///
/// Fields that expressions name are checked with their other words.
pub(super) fn check_written_fields_are_known(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let seen = model.seen_at(task, Place::Write);
        for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
            if let Some(name) = unknown_field_written(&write.path, &seen) {
                let (message, help) = unknown_field(name, &seen);
                errors.add_with_help(name.span(), message, help);
            }
        }
    }
}

/// A field is read or written somewhere, and an input is read, unless its name begins with `_`.
pub(super) fn check_state_fields_are_used(model: &Model<'_>, errors: &Errors) {
    let fields = model.state_fields();
    if fields.is_empty() || are_uses_unclear(model) || is_seen_elsewhere(model) {
        return;
    }
    let used = Used::of(model);
    for (index, field) in fields.iter().enumerate() {
        let name = &field.name;
        let read = used.whole || used.read.contains(&index);
        let is_used = read || (field.input.is_none() && used.written.contains(&index));
        // The second of two of one name is reported as that.
        let again = model.field(name) != Some(index);
        if is_used || again || name.to_string().starts_with('_') || is_mirror(model, field) {
            continue;
        }
        let nothing = match (&field.input, used.written.contains(&index)) {
            (Some(_), true) => format!("the input `{name}` is written, but nothing reads it"),
            (Some(_), false) => format!("nothing reads the input `{name}`"),
            (None, _) => format!("nothing reads or writes the state field `{name}`"),
        };
        errors.add_with_help(
            name.span(),
            nothing,
            format!("use it, remove it, or call it `_{}`", name.unraw()),
        );
    }
}

/// The fields that a process uses, by their place in the declaration.
#[derive(Default)]
struct Used {
    read: Vec<usize>,
    written: Vec<usize>,
    /// The state as a whole is used somewhere.
    whole: bool,
}

impl Used {
    fn of(model: &Model<'_>) -> Self {
        let mut used = Self::default();
        let shown = model.templates().into_iter().flat_map(|template| shown(template.template));
        for expr in shown.chain(model.expressions()) {
            let uses = StateUses::of(expr);
            used.whole |= uses.whole;
            used.read.extend(uses.fields().filter_map(|name| meant(model, name)));
        }
        let updates = model.tasks.iter().filter_map(|task| task.syntax.items.update.as_ref());
        for path in updates.flat_map(|item| &item.value.writes).map(|write| &write.path) {
            let field = written(path).and_then(|name| meant(model, name));
            // What is added to was there before.
            let into = if path.segments.len() > 1 { &mut used.read } else { &mut used.written };
            into.extend(field);
        }
        used
    }
}

fn shown(template: &Template) -> Vec<&Expr> {
    let Template::Text(text) = template else { return Vec::new() };
    let shown = text.pieces.iter().filter_map(|piece| match piece {
        Piece::Expr { expr, .. } => Some(&**expr),
        Piece::Text(_) => None,
    });
    shown.collect()
}

/// Whether a function of the user's sees the state, or another process begins with it.
fn is_seen_elsewhere(model: &Model<'_>) -> bool {
    let function = |used: &Template| matches!(used, Template::Function(_));
    model.syntax.items.mock.is_some()
        || model.templates().iter().any(|used| function(used.template))
        || model.tasks.iter().any(|task| {
            let items = &task.syntax.items;
            let path = items.check.is_some() || items.run.is_some() || items.mock.is_some();
            let process = items.process.as_ref().is_some_and(|item| item.value.with.is_none());
            path || process || items.process_output.is_some()
        })
}

/// Whether the process keeps its history in this field.
fn is_mirror(model: &Model<'_>, field: &StateField) -> bool {
    field.name == "history" && model.mirror().is_some()
}

/// Whether it can't be known which fields there are.
pub(super) fn are_unclear(model: &Model<'_>) -> bool {
    model.syntax.invalid.may_include(&["state"])
}

/// Whether something could not be read that may use any field.
fn are_uses_unclear(model: &Model<'_>) -> bool {
    let flawed = |used: &Template| matches!(used, Template::Text(text) if !text.flaws.is_empty());
    !model.syntax.invalid.is_empty()
        || model.tasks.iter().any(|task| !task.syntax.invalid.is_empty())
        || model.templates().iter().any(|used| flawed(used.template))
}

/// The field of the state that a path begins with.
pub(super) fn written(path: &StatePath) -> Option<&Ident> {
    match path.segments.first()? {
        PathSegment::Field { member: Member::Named(name), .. } => Some(name),
        _ => None,
    }
}

/// The field that a name means, or probably means.
pub(super) fn meant(model: &Model<'_>, name: &Ident) -> Option<usize> {
    model.field(name).or_else(|| nearest(model.state_fields(), name))
}

/// The field whose name is most like one that no field has.
fn nearest(fields: &[StateField], name: &Ident) -> Option<usize> {
    let names: Vec<_> = fields.iter().map(|field| field.name.to_string()).collect();
    let near = suggest(&name.to_string(), names.iter().map(String::as_str))?;
    names.iter().position(|name| name == near)
}

/// The first name of a path, if the state has no such field.
pub(crate) fn unknown_field_written<'p>(path: &'p StatePath, seen: &Seen<'_>) -> Option<&'p Ident> {
    written(path).filter(|name| seen.lacks_field(name))
}

/// What is wrong with a name that is no field of the state, and what to write instead.
pub(super) fn unknown_field(name: &Ident, seen: &Seen<'_>) -> (String, String) {
    let help = match nearest(seen.fields, name) {
        Some(near) => format!("did you mean `{}`?", seen.fields[near].name),
        None => {
            format!("its fields are {}", join_names(seen.fields.iter().map(|field| &field.name)))
        }
    };
    (format!("the state has no field `{name}`"), help)
}
