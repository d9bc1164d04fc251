//! What untrusted values reach.

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
    /// The function whose arguments decide whether it is one.
    pub(crate) arguments: Option<Arguments<'a>>,
}

/// The arguments of a tool.
pub(crate) struct Arguments<'a> {
    pub(crate) function: &'a Path,
    /// Those that carry no authority, or that stand in a trusted text.
    pub(crate) closed: Vec<&'a Ident>,
}
