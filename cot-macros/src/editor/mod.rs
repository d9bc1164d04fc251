//! The expansion that an editor sees, in the place of the tables of the engine.
//!
//! A language server expands macros to answer questions about the code in them: it looks for the user's tokens in
//! the expansion and answers for what they are there. So the expansion for rust-analyzer has a *view* of the
//! process: Rust code that contains each of the user's tokens once, in the role that it has for the user. A task
//! is a constant with its own name, the use of a task is a path to that constant, a key is the field of a
//! documented struct, and an expression is a statement over `state`, `output`, `goal`, `inputs` and the item.
//!
//! The view is made of the tokens as they are written, not of the syntax tree, since an editor asks while
//! the text is incomplete. To complete a word, the server expands the text twice, once with a marker at the
//! cursor, and compares the two expansions: up to the marker they must be the same. So the view comes first,
//! nothing in it depends on tokens further down, and everything that is derived from the whole process, such as
//! the documentation of its tasks, follows.

mod alias;
mod declarations;
mod places;
mod raw;
mod spans;
mod template;
mod types;
mod update;
mod values;
mod view;

use std::env;

use cot_syntax::{core_crate, diagnostics::Errors};
use proc_macro2::TokenStream;

use cot_syntax::conditions;

use crate::{check, model};
use raw::RawProcess;
use template::MARKER;

/// Returns whether the macro is expanded for an editor: by the server of rust-analyzer for procedural macros,
/// or by a rust-analyzer that expands them itself.
///
/// `cfg(rust_analyzer)` would not tell it, since that is set for packages of the user's workspace alone.
pub(crate) fn is_present() -> bool {
    let program = env::current_exe();
    let name = program.as_ref().ok().and_then(|path| path.file_name()?.to_str());
    name.is_some_and(|name| name.starts_with("rust-analyzer"))
}

/// Expands a process for an editor.
pub(crate) fn expand(input: &TokenStream) -> TokenStream {
    let whole = conditions::assume_true(input);
    let crate_path = conditions::crate_path(&whole);
    let errors = Errors::new();
    let syntax = cot_syntax::parse(whole.clone(), &errors);
    let checked = syntax.as_ref().map(|it| check::check(model::build(it, &errors), &errors));
    let declarations = checked.as_ref().map(|it| declarations::declarations(&it.model));
    let process = RawProcess::find(&whole);
    let view = process.as_ref().map(|it| view::view(it, &declarations.unwrap_or_default()));
    // A message with the marker in it would be taken for the place of the cursor.
    let errors = if whole.to_string().contains(MARKER) { Errors::new() } else { errors };
    let rest = conditions::defer(input).unwrap_or_else(|| {
        let types = checked.as_ref().map(|it| types::types(it, process.as_ref()));
        types.into_iter().chain([errors.into_tokens()]).collect()
    });
    core_crate::relocate(view.into_iter().chain([rest]).collect(), crate_path.as_ref())
}

/// Expands a process whose conditions are evaluated to its types and its errors.
pub(crate) fn expand_types(input: TokenStream) -> TokenStream {
    let errors = Errors::new();
    let Some(syntax) = cot_syntax::parse(input.clone(), &errors) else {
        return errors.into_tokens();
    };
    let crate_path = syntax.items.crate_path.as_ref().map(|item| &item.value.0);
    let checked = check::check(model::build(&syntax, &errors), &errors);
    let mut tokens = types::types(&checked, RawProcess::find(&input).as_ref());
    tokens.extend(errors.into_tokens());
    core_crate::relocate(tokens, crate_path)
}

#[cfg(test)]
mod tests;
