//! Compile errors: collected while a stage works, emitted together.

use std::{cell::RefCell, collections::BTreeSet, fmt::Display};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors of one macro call, in the order in which they were found.
///
/// Checks take it by shared reference, so that they can add errors while they borrow the model.
#[derive(Debug, Default)]
#[must_use = "errors that are not emitted are lost"]
pub struct Errors(RefCell<Vec<syn::Error>>);

impl Errors {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// An error at one token.
    pub fn error(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// An error at one token, and what to write instead.
    pub fn error_with_help(&self, span: Span, message: impl Display, help: impl Display) {
        self.error(span, with_help(message, help));
    }

    /// An error at one token, and lines below it: `note` or `help`, and its text.
    pub fn error_with_notes(&self, span: Span, message: &str, notes: &[(&str, &str)]) {
        self.error(span, with_notes(message, notes));
    }

    /// An error under several tokens, and lines below it.
    pub fn error_over_with_notes(
        &self,
        tokens: impl ToTokens,
        message: &str,
        notes: &[(&str, &str)],
    ) {
        self.error_over(tokens, with_notes(message, notes));
    }

    /// An error under several tokens.
    pub fn error_over(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// An error under several tokens, and what to write instead.
    pub fn error_over_with_help(
        &self,
        tokens: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.error_over(tokens, with_help(message, help));
    }

    /// Every part of an error of `syn`.
    pub fn push(&self, error: syn::Error) {
        self.0.borrow_mut().extend(error);
    }

    /// Returns whether there is no error.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many errors there are.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// The text of each error, in order.
    pub fn messages(&self) -> Vec<String> {
        self.0.borrow().iter().map(syn::Error::to_string).collect()
    }

    /// One `compile_error!` per error.
    pub fn into_tokens(self) -> TokenStream {
        self.into_distinct().map(syn::Error::into_compile_error).collect()
    }

    /// The errors, of which the same text at the same place occurs once.
    pub fn into_distinct(self) -> impl Iterator<Item = syn::Error> {
        let mut seen = BTreeSet::new();
        let errors = self.0.into_inner().into_iter();
        errors.filter(move |error| seen.insert((format!("{:?}", error.span()), error.to_string())))
    }
}

/// One error at a token, and what to write instead, for a parser to return.
pub fn error_at(span: Span, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new(span, with_help(message, help))
}

/// One error under several tokens, and what to write instead, for a parser to return.
pub fn error_over(tokens: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(tokens, with_help(message, help))
}

/// Adds a help line to an error that has none.
pub(crate) fn with_default_help(error: syn::Error, help: &str) -> syn::Error {
    let message = error.to_string();
    if message.contains("= help:") { error } else { error_at(error.span(), message, help) }
}

fn with_help(message: impl Display, help: impl Display) -> String {
    // rustc indents the lines that follow the first, and so sets this as its own help.
    format!("{message}\n\n  = help: {help}")
}

fn with_notes(message: &str, notes: &[(&str, &str)]) -> String {
    let mut text = format!("{message}\n");
    for (kind, note) in notes {
        text.push_str(&format!("\n  = {kind}: {note}"));
    }
    text
}

/// The candidate that was probably meant by a misspelled word.
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
    best.or_else(|| slip(word, candidates))
}

/// The candidate that one slip has made of a short word, such as `edn`; or another case.
fn slip<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let is_near = |candidate: &&str| {
        let shortest = candidate.len().min(lower.len());
        let allowed = usize::from(shortest >= 3);
        strsim::osa_distance(&lower, candidate) <= allowed
    };
    candidates.into_iter().find(is_near)
}

/// A list for a sentence: "`a`, `b` and `c`".
pub fn one_of<S: Display>(names: impl IntoIterator<Item = S>) -> String {
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
        errors.error(Span::call_site(), "second");
        errors.error_with_help(Span::call_site(), "third", "write `x`");
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
        assert_eq!(one_of::<&str>([]), "");
        assert_eq!(one_of(["a"]), "`a`");
        assert_eq!(one_of(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
