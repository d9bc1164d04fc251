//! The macros of `cot-core`, which re-exports them: depend on that crate, not on this one.
//!
//! `cot_process!` is expanded in four stages, each with its own type:
//! tokens -> `cot_syntax::Process` -> `model::Model` -> `check::Checked` -> tokens.

#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// `model`, stage two: names become indices, tasks get their kind, and a task with an unresolved target is
// *incomplete*, so that nothing is reported twice; `stability` says what of a template can change between prompts
// (`text_facts`: how many bytes cannot), `media` what it shows; `check`, stage three: one function for each rule,
// listed in `rules.rs`; `branches` finds the tasks of each branch and what they read and write; `proof` follows
// every path for the fields of a declared state; `expand`, stage four: types and two static tables; `editor`, what
// rust-analyzer expands instead of the tables: each token of the user in its role. `#[derive(CotOutput)]` is
// `cot-derive`.

mod check;
mod editor;
mod expand;
mod model;

use cot_syntax::{core_crate, diagnostics::Errors};
use proc_macro::TokenStream;

#[expect(missing_docs, reason = "documented where `cot-core` re-exports it")]
#[proc_macro]
pub fn cot_process(input: TokenStream) -> TokenStream {
    let input = input.into();
    if editor::is_present() {
        return editor::expand(&input).into();
    }
    cot_syntax::conditions::defer(&input).unwrap_or_else(|| process(input)).into()
}

/// Expands a process after rustc has evaluated its `#[cfg(…)]` conditions.
#[doc(hidden)]
#[proc_macro_derive(ConditionalProcess, attributes(__declaration_under_conditions))]
pub fn derive_conditional_process(input: TokenStream) -> TokenStream {
    match cot_syntax::conditions::evaluate(input.into()) {
        Ok(input) if editor::is_present() => editor::expand_types(input).into(),
        Ok(input) => process(input).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

#[expect(missing_docs, reason = "documented where `cot-core` re-exports it")]
#[proc_macro_derive(CotOutput, attributes(cot))]
pub fn derive_cot_output(input: TokenStream) -> TokenStream {
    output(input.into()).into()
}

fn process(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    with_errors(|errors| expand_process(input, errors))
}

fn output(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    with_errors(|errors| cot_derive::expand(input, errors))
}

/// Runs an expansion and appends the errors that it reports.
fn with_errors(
    expand: impl FnOnce(&Errors) -> proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let errors = Errors::new();
    let mut tokens = expand(&errors);
    tokens.extend(errors.into_tokens());
    tokens
}

/// Runs the stages of `cot_process!`. An invalid process still expands to its types, so that one error does
/// not cause many others.
fn expand_process(input: proc_macro2::TokenStream, errors: &Errors) -> proc_macro2::TokenStream {
    let Some(syntax) = cot_syntax::parse(input, errors) else {
        return proc_macro2::TokenStream::new();
    };
    let crate_path = syntax.items.crate_path.as_ref().map(|item| &item.value.0);
    let model = model::build(&syntax, errors);
    let checked = check::check(model, errors);
    let mut tokens = expand::expand(&checked);
    // Warnings would only distract from errors.
    if errors.is_empty() {
        tokens.extend(expand::warnings(&checked.model));
    }
    core_crate::relocate(tokens, crate_path)
}

#[cfg(test)]
mod broken;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod tests;
