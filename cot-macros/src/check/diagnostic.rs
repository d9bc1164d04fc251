//! Errors in expressions and templates.

use cot_syntax::{TemplateText, diagnostics::Errors};
use proc_macro2::{Ident, Span};

use crate::model::{RESERVED, Task};

/// An error in an expression.
pub(crate) struct Diagnostic {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: String,
    /// The name that is not available, if that is the error.
    pub(super) name: Option<Ident>,
}

impl Diagnostic {
    pub(super) fn new(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: help.into(), name: None }
    }

    /// Returns whether the error only follows from an invalid item of the task.
    pub(super) fn is_consequence(&self, task: Option<&Task<'_>>) -> bool {
        let is = |word: &str| self.name.as_ref().is_some_and(|name| name == word);
        let broken = |key| task.is_some_and(|task| task.syntax.invalid.may_include(&[key]));
        // The item may have any name that has no meaning elsewhere.
        let is_item = |name: &Ident| name == "item" || RESERVED.iter().all(|word| name != word);
        is("inputs") && broken("inputs")
            || self.name.as_ref().is_some_and(is_item) && broken("for_each")
    }
}

/// Reports an error in a template. rustc can only point at the whole literal, so a note gives the position.
pub(super) fn report_in_template(
    text: &TemplateText,
    at: impl std::fmt::Display,
    code: &str,
    message: &str,
    help: &str,
    errors: &Errors,
) {
    let what = match text.included {
        true => format!("`{}`", text.literal.value()),
        false => "the template".to_owned(),
    };
    let note = format!("in `{code}`, {at} of {what}");
    errors.add_with_notes(text.literal.span(), message, &[("note", &note), ("help", help)]);
}
