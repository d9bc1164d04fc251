//! The state that a process declares itself.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::{
    diagnostics::Errors,
    model::Model,
    syntax::{Piece, StateField, StateItem, Template},
};

/// A state that is declared in the process has fields.
pub(super) fn check_state_has_fields(model: &Model<'_>, errors: &Errors) {
    let Some(StateItem::Inline(state)) = model.syntax.items.state.as_ref().map(|item| &item.value)
    else {
        return;
    };
    if state.fields.is_empty() && !model.syntax.broken.any(&["state"]) {
        errors.error_with_help(
            state.span,
            "the state has no fields",
            "declare some, as in `fields: Vec<Field> = vec![]`; for no state at all write `state: ()`",
        );
    }
}

/// A state has each field once.
pub(super) fn check_state_fields_are_distinct(model: &Model<'_>, errors: &Errors) {
    let fields = model.state_fields();
    for (index, field) in fields.iter().enumerate() {
        if fields[..index].iter().any(|other| other.name == field.name) {
            errors.error_with_help(
                field.name.span(),
                format!("state field `{}` is declared twice", field.name),
                "remove one of the two, or give it another name",
            );
        }
    }
}

/// An input is given at the start, so a default would never be used.
pub(super) fn check_inputs_have_no_default(model: &Model<'_>, errors: &Errors) {
    for field in model.state_fields() {
        if let (Some(_), Some(default)) = (&field.input, &field.default) {
            errors.error_over_with_help(
                default,
                format!("the input `{}` can't have a default", field.name),
                "an input is given at the start of each run: remove the default, or `input`",
            );
        }
    }
}

/// A state field is used, unless its name begins with `_`.
///
/// One that is only written is a result. Where a function sees the whole state, nothing is known.
pub(super) fn check_state_fields_are_used(model: &Model<'_>, errors: &Errors) {
    let broken = model.tasks.iter().any(|task| !task.syntax.broken.is_empty());
    if broken || !model.syntax.broken.is_empty() || sees_the_state(model) {
        return;
    }
    let mut used = Used::default();
    for use_ in model.templates() {
        if let Template::Text(text) = use_.template {
            text.pieces.iter().for_each(|piece| match piece {
                Piece::Shown { expr, .. } => used.look_into(expr.to_token_stream()),
                Piece::Text(_) => {}
            });
        }
    }
    model.expressions().iter().for_each(|expr| used.look_into(expr.to_token_stream()));
    let updates = model.tasks.iter().filter_map(|task| task.syntax.items.update.as_ref());
    let writes = updates.flat_map(|update| &update.value.writes);
    writes.for_each(|write| used.look_into(write.path.to_token_stream()));
    let is_unused = |field: &&StateField| {
        !used.wholly
            && !field.name.to_string().starts_with('_')
            && !used.names.contains(&field.name)
    };
    for field in model.state_fields().iter().filter(is_unused) {
        errors.error_with_help(
            field.name.span(),
            format!("nothing reads the state field `{}`", field.name),
            format!("use it, remove it, or call it `_{}`", field.name),
        );
    }
}

/// Whether a function, a sub-process or the history's mirror sees the whole state.
fn sees_the_state(model: &Model<'_>) -> bool {
    let in_functions = model.tasks.iter().any(|task| {
        let items = &task.syntax.items;
        let starts = items.process.as_ref().is_some_and(|item| item.value.with.is_none());
        let given = items.run.is_some() || items.check.is_some() || items.mock.is_some();
        starts || given || items.process_output.is_some()
    });
    let in_templates = model.templates().iter().any(|use_| match use_.template {
        Template::Function(_) => true,
        Template::Text(text) => !text.flaws.is_empty(),
    });
    in_functions || in_templates || model.syntax.items.history.is_some()
}

/// The words that may be names of fields.
#[derive(Debug, Default)]
struct Used {
    names: Vec<Ident>,
    /// The state is used as a whole.
    wholly: bool,
}

impl Used {
    fn look_into(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.look_into(group.stream()),
                TokenTree::Ident(name) => {
                    let dot =
                        matches!(tokens.peek(), Some(TokenTree::Punct(it)) if it.as_char() == '.');
                    self.wholly |= name == "state" && !dot;
                    self.names.push(name);
                }
                // A string may be the format of a macro.
                TokenTree::Literal(literal) => {
                    self.wholly |= literal.to_string().contains("{state");
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}
