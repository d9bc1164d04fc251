//! Compile errors: collected during each stage and emitted together.

use std::{cell::RefCell, collections::BTreeSet, fmt::Display};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::codes::with_code;

/// The errors of one macro invocation, in the order in which they were reported.
///
/// Checks take a shared reference, so that they can report errors while they borrow the model.
#[derive(Debug, Default)]
#[must_use = "errors that are not emitted are lost"]
pub struct Errors(RefCell<Vec<syn::Error>>);

impl Errors {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports an error at a token.
    pub fn add(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Reports an error at a token, with a help line that says what to write instead.
    pub fn add_with_help(&self, span: Span, message: impl Display, help: impl Display) {
        self.add(span, with_help(message, help));
    }

    /// Reports an error at a token, with lines below it. Each line is a pair of its label (`note` or `help`)
    /// and its text.
    pub fn add_with_notes(&self, span: Span, message: &str, notes: &[(&str, &str)]) {
        self.add(span, with_notes(message, notes));
    }

    /// Reports an error that underlines several tokens, with lines below it as in
    /// [`add_with_notes`](Self::add_with_notes).
    pub fn add_over_with_notes(
        &self,
        tokens: impl ToTokens,
        message: &str,
        notes: &[(&str, &str)],
    ) {
        self.add_over(tokens, with_notes(message, notes));
    }

    /// Reports an error that underlines several tokens.
    pub fn add_over(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Reports an error that underlines several tokens, with a help line that says what to write instead.
    pub fn add_over_with_help(
        &self,
        tokens: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.add_over(tokens, with_help(message, help));
    }

    /// Adds an error of `syn`, with all errors that are combined in it.
    pub fn push(&self, error: syn::Error) {
        self.0.borrow_mut().extend(error);
    }

    /// Returns whether no error has been reported.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of errors.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Returns the text of each error, in order.
    pub fn messages(&self) -> Vec<String> {
        self.0.borrow().iter().map(syn::Error::to_string).collect()
    }

    /// Returns one `compile_error!` invocation per distinct error.
    pub fn into_tokens(self) -> TokenStream {
        self.into_distinct().map(syn::Error::into_compile_error).collect()
    }

    /// Returns the errors with their codes and without duplicates: each text once per span.
    pub fn into_distinct(self) -> impl Iterator<Item = syn::Error> {
        let mut seen = BTreeSet::new();
        let errors = self.0.into_inner().into_iter();
        errors
            .filter(move |error| seen.insert((format!("{:?}", error.span()), error.to_string())))
            .map(|error| with_message(&error, with_code(&error.to_string())))
    }
}

/// Creates an error at a token, with a help line that says what to write instead.
pub fn error_at(span: Span, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new(span, with_help(message, help))
}

/// Creates an error that underlines several tokens, with a help line that says what to write instead.
pub fn error_over(tokens: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, with_help(message, help))
}

/// Adds a help line to an error, unless it has one.
pub(crate) fn with_default_help(error: syn::Error, help: &str) -> syn::Error {
    let message = error.to_string();
    if message.contains("= help:") { error } else { with_message(&error, with_help(message, help)) }
}

/// Returns an error with another message. `Error::span` would only be its first token: the whole range is in the tokens
/// that it becomes.
fn with_message(error: &syn::Error, message: String) -> syn::Error {
    syn::Error::new_spanned(error.to_compile_error(), message)
}

fn with_help(message: impl Display, help: impl Display) -> String {
    // rustc indents all lines after the first, so that this line looks like one of its own help lines.
    format!("{message}\n\n  = help: {help}")
}

fn with_notes(message: &str, notes: &[(&str, &str)]) -> String {
    let mut text = format!("{message}\n");
    for (kind, note) in notes {
        text.push_str(&format!("\n  = {kind}: {note}"));
    }
    text
}

/// Returns the candidate that a misspelled word most likely stands for.
pub fn suggest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    let candidates = candidates.into_iter();
    let mut best = None;
    let mut best_similarity = 0.8;
    for candidate in candidates.clone() {
        let similarity = strsim::jaro_winkler(word, candidate);
        if similarity > best_similarity {
            best_similarity = similarity;
            best = Some(candidate);
        }
    }
    best.or_else(|| suggest_within_one_edit(word, candidates))
}

/// Returns the first candidate that differs from a word in case or in one edit, such as `edn` for `end`.
/// Words of fewer than three letters are compared without edits.
fn suggest_within_one_edit<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let is_near = |candidate: &&str| {
        let shortest = candidate.len().min(lower.len());
        let allowed = usize::from(shortest >= 3);
        strsim::osa_distance(&lower, candidate) <= allowed
    };
    candidates.into_iter().find(is_near)
}

/// Joins names for a sentence: "`a`, `b` and `c`".
pub fn join_names<S: Display>(names: impl IntoIterator<Item = S>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.pop() {
        None => String::new(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emits_each_error_once_and_in_order() {
        let errors = Errors::new();
        assert!(errors.is_empty());
        let mut parts = syn::Error::new(Span::call_site(), "second");
        parts.combine(syn::Error::new(Span::call_site(), "first"));
        errors.push(parts);
        errors.add(Span::call_site(), "second");
        errors.add_with_help(Span::call_site(), "third", "write `x`");
        assert!(!errors.is_empty());
        assert_eq!(
            errors.into_tokens().to_string(),
            ":: core :: compile_error ! { \"second\" } :: core :: compile_error ! { \"first\" } \
             :: core :: compile_error ! { \"third\\n\\n  = help: write `x`\" }"
        );
    }

    #[test]
    fn suggests_the_closest_name_only_when_it_is_close() {
        let tasks = ["add_fields", "add_field", "done"];
        assert_eq!(suggest("add_feild", tasks), Some("add_field"));
        assert_eq!(suggest("zebra", tasks), None);
        let keys = ["run", "end", "fail"];
        assert_eq!(["rnu", "edn", "Fail"].map(|word| suggest(word, keys)), keys.map(Some));
        assert_eq!(suggest("b", ["a"]), None);
    }

    #[test]
    fn lists_names_in_a_sentence() {
        assert_eq!(join_names::<&str>([]), "");
        assert_eq!(join_names(["a"]), "`a`");
        assert_eq!(join_names(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
