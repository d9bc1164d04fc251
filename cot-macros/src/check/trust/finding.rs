//! What untrusted values reach.

use cot_syntax::diagnostics::Errors;
use proc_macro2::{Ident, Span};
use syn::Path;

/// An untrusted value that reaches what it should not: an error with `trust: strict`, a warning otherwise.
pub(crate) struct Finding<'a> {
    /// The name of the warning.
    pub(crate) name: &'static str,
    pub(crate) span: Span,
    pub(crate) message: String,
    /// The place in a template, if it is in one.
    pub(crate) place: Option<String>,
    pub(crate) path: String,
    pub(crate) help: String,
    /// The task whose `trusts` excepts it.
    pub(crate) task: Option<usize>,
    /// What rustc knows, and decides whether it is one.
    pub(crate) condition: Option<Condition<'a>>,
}

/// A condition about types of the program, which rustc evaluates.
pub(crate) enum Condition<'a> {
    /// An argument has an open set of values.
    Arguments(Arguments<'a>),
    /// A sub-process does not mark a field.
    Inputs(Inputs<'a>),
}

impl Finding<'_> {
    /// Reports an error that needs no types.
    pub(super) fn report(&self, errors: &Errors) {
        let place = self.place.as_ref().map(|place| ("note", place.as_str()));
        let notes = [("note", self.path.as_str()), ("help", self.help.as_str())];
        let notes: Vec<_> = place.into_iter().chain(notes).collect();
        errors.add_with_notes(self.span, &self.message, &notes);
    }
}

/// The arguments of `new` of a sub-process that have a mark.
pub(crate) struct Inputs<'a> {
    pub(crate) process: &'a Path,
    pub(crate) marked: Vec<usize>,
    pub(crate) is_private: bool,
}

/// The arguments of a tool.
pub(crate) struct Arguments<'a> {
    pub(crate) function: &'a Path,
    /// Those that carry no authority, or that stand in a trusted text.
    pub(crate) closed: Vec<&'a Ident>,
}
