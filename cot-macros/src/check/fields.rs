//! Checks the fields of a state that the process declares.

use proc_macro2::Ident;
use syn::{Expr, Member, ext::IdentExt};

use crate::model::{Model, Place, StateUses, Uses, VisibleNames, all_expressions};
use cot_syntax::{
    PathSegment, Piece, StateField, StatePath, Template,
    diagnostics::{Errors, join_names, suggest},
};

/// Checks that state paths begin with a field of the state.
///
/// Fields in expressions are checked together with the other names there.
pub(super) fn check_written_fields_are_known(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let seen = model.names_at(task, Place::Write);
        for write in task.syntax.items.update.iter().flat_map(|item| &item.value.writes) {
            if let Some(name) = unknown_field_written(&write.path, &seen) {
                let (message, help) = unknown_field(name, &seen);
                errors.add_with_help(name.span(), message, help);
            }
        }
    }
}

/// Checks that every field is read or written, and every input read, unless its name begins with `_`.
pub(super) fn check_state_fields_are_used(model: &Model<'_>, errors: &Errors) {
    let fields = model.state_fields();
    if fields.is_empty() || may_have_hidden_uses(model) || is_used_by_functions(model) {
        return;
    }
    let used = FieldUsage::from_model(model);
    for (index, field) in fields.iter().enumerate() {
        let name = &field.name;
        let read = used.whole || used.read.contains(&index);
        let is_used = read || (field.input.is_none() && used.written.contains(&index));
        // A duplicate field is reported by another check.
        let again = model.field(name) != Some(index);
        if is_used || again || name.to_string().starts_with('_') || is_history_mirror(model, field)
        {
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

/// Returns whether something reads each field, unless that can't be known.
pub(super) fn read_fields(model: &Model<'_>) -> Option<impl Fn(usize) -> bool> {
    if may_have_hidden_uses(model) || is_used_by_functions(model) {
        return None;
    }
    let used = FieldUsage::from_model(model);
    Some(move |field| used.whole || used.read.contains(&field))
}

/// The fields that a process uses, by index.
#[derive(Default)]
struct FieldUsage {
    read: Vec<usize>,
    written: Vec<usize>,
    /// Whether the state is used as a whole, so that any field may be read.
    whole: bool,
}

impl FieldUsage {
    fn from_model(model: &Model<'_>) -> Self {
        let mut used = Self::default();
        let shown = model.templates().into_iter().flat_map(|template| shown(template.template));
        for expr in shown.chain(all_expressions(model)) {
            let uses = StateUses::from_expr(expr);
            used.whole |= uses.whole;
            used.read.extend(uses.fields().filter_map(|name| resolve_field(model, name)));
            // A field without `state.` before it is reported there.
            let names = Uses::from_expr(expr);
            used.read.extend(names.free_values().filter_map(|(name, _)| model.field(name)));
        }
        let updates = model.tasks.iter().filter_map(|task| task.syntax.items.update.as_ref());
        for path in updates.flat_map(|item| &item.value.writes).map(|write| &write.path) {
            let field = root_field(path).and_then(|name| resolve_field(model, name));
            // A write to a part of a field reads the field.
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

/// Returns whether a user's function receives the state, or a sub-process starts from it.
fn is_used_by_functions(model: &Model<'_>) -> bool {
    let function = |used: &Template| matches!(used, Template::Function(_));
    model.syntax.items.mock.is_some()
        || !model.tools.is_empty()
        || model.templates().iter().any(|used| function(used.template))
        || model.tasks.iter().any(|task| {
            let items = &task.syntax.items;
            let path = items.check.is_some() || items.run.is_some() || items.mock.is_some();
            let reads = items.read.is_some();
            let process = items.process.as_ref().is_some_and(|item| item.value.with.is_none());
            path || reads || process || items.process_output.is_some()
        })
}

/// Returns whether the history of the process is mirrored in this field.
fn is_history_mirror(model: &Model<'_>, field: &StateField) -> bool {
    field.name == "history" && model.mirror_limit().is_some()
}

/// Returns whether the list of fields may be incomplete.
pub(super) fn may_be_incomplete(model: &Model<'_>) -> bool {
    model.syntax.invalid.may_include(&["state"])
}

/// Returns whether an invalid item or template may use any field.
fn may_have_hidden_uses(model: &Model<'_>) -> bool {
    let flawed = |used: &Template| matches!(used, Template::Text(text) if !text.flaws.is_empty());
    !model.syntax.invalid.is_empty()
        || model.tasks.iter().any(|task| !task.syntax.invalid.is_empty())
        || model.templates().iter().any(|used| flawed(used.template))
}

/// Returns the state field with which a path begins.
pub(super) fn root_field(path: &StatePath) -> Option<&Ident> {
    match path.segments.first()? {
        PathSegment::Field { member: Member::Named(name), .. } => Some(name),
        _ => None,
    }
}

/// Returns the index of the field with a name, or of the field with the most similar name.
pub(super) fn resolve_field(model: &Model<'_>, name: &Ident) -> Option<usize> {
    model.field(name).or_else(|| suggest_field(model.state_fields(), name))
}

/// Returns the index of the field with the most similar name.
fn suggest_field(fields: &[StateField], name: &Ident) -> Option<usize> {
    let names: Vec<_> = fields.iter().map(|field| field.name.to_string()).collect();
    let near = suggest(&name.to_string(), names.iter().map(String::as_str))?;
    names.iter().position(|name| name == near)
}

/// Returns the first name of a path if the state does not have such a field.
pub(crate) fn unknown_field_written<'p>(
    path: &'p StatePath,
    seen: &VisibleNames<'_>,
) -> Option<&'p Ident> {
    root_field(path).filter(|name| seen.lacks_field(name))
}

/// Returns the message and the help text for a name that is not a field of the state.
pub(super) fn unknown_field(name: &Ident, seen: &VisibleNames<'_>) -> (String, String) {
    let help = match suggest_field(seen.fields, name) {
        Some(near) => format!("did you mean `{}`?", seen.fields[near].name),
        None => {
            format!("its fields are {}", join_names(seen.fields.iter().map(|field| &field.name)))
        }
    };
    (format!("the state has no field `{name}`"), help)
}
