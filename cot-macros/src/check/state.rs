//! Checks a state that the process declares.

use syn::Type;

use crate::model::Model;
use cot_syntax::{StateItem, diagnostics::Errors};

/// Checks that a declared state has fields.
pub(super) fn check_state_has_fields(model: &Model<'_>, errors: &Errors) {
    let Some(StateItem::Inline(state)) = model.syntax.items.state.as_ref().map(|item| &item.value)
    else {
        return;
    };
    if state.fields.is_empty() && !model.syntax.invalid.may_include(&["state"]) {
        errors.add_with_help(
            state.span,
            "the state has no fields",
            "declare some, as in `fields: Vec<Field> = vec![]`; a process without a state has `state: ()`",
        );
    }
}

/// Checks that a state has no duplicate fields.
pub(super) fn check_state_fields_are_distinct(model: &Model<'_>, errors: &Errors) {
    let fields = model.state_fields();
    for (index, field) in fields.iter().enumerate() {
        if fields[..index].iter().any(|other| other.name == field.name) {
            errors.add_with_help(
                field.name.span(),
                format!("state field `{}` is declared twice", field.name),
                "remove one of the two, or give it another name",
            );
        }
    }
}

/// Checks that inputs have no default, which would never be used.
pub(super) fn check_inputs_have_no_default(model: &Model<'_>, errors: &Errors) {
    for field in model.state_fields() {
        if let (Some(_), Some(default)) = (&field.input, &field.default) {
            errors.add_over_with_help(
                default,
                format!("the input `{}` can't have a default", field.name),
                "an input is given at the start of each run: remove the default, or `input`",
            );
        }
    }
}

/// Checks that no unset field is an `Option`. The struct wraps unset fields in an `Option`, and JSON can't
/// represent nested ones.
pub(super) fn check_unset_fields_are_no_options(model: &Model<'_>, errors: &Errors) {
    for field in model.state_fields().iter().filter(|field| field.is_unset()) {
        if is_option(&field.ty) {
            let name = &field.name;
            errors.add_over_with_help(
                &field.ty,
                format!("the unset field `{name}` can't be an `Option`"),
                format!("give it a default, `{name}: … = None`, or leave the `Option` out: an unset field is `None` until a task writes it"),
            );
        }
    }
}

/// Checks that a state that mirrors the history has a field `history` with a default.
pub(super) fn check_the_history_has_its_field(model: &Model<'_>, errors: &Errors) {
    let Some(bound) = model.mirror_limit() else { return };
    let fields = model.state_fields();
    let help = "declare it: `history: History = History::default()`";
    match fields.iter().find(|field| field.name == "history") {
        Some(field) if field.is_unset() => errors.add_with_help(
            field.name.span(),
            "the field `history` needs a default, since the history is stored in it",
            "give it a default: `history: History = History::default()`",
        ),
        None if !fields.is_empty() && !model.syntax.invalid.may_include(&["state"]) => {
            errors.add_with_help(bound.span(), "the state has no field `history`", help);
        }
        _ => {}
    }
}

fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Option"),
        _ => false,
    }
}
