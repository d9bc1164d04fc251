//! The types of a process without the user's places.
//!
//! A variant such as `Draft` has the place of the task `draft` for rustc. An editor would take the one for the
//! other: it would show both for the task, and rename the task to the new name of the variant. So a variant is
//! placed at the word `task`, with a hygiene with which an editor does not rename it.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

use super::raw::RawProcess;
use crate::{check::Checked, expand::outline};
use cot_syntax::tokens::is_word;

/// Generates the types of a process, and its implementations without tables.
pub(super) fn types(checked: &Checked<'_>, raw: Option<&RawProcess>) -> TokenStream {
    let outline = outline(checked);
    let process = &checked.model.syntax.name;
    let keyword = raw.map_or_else(|| process.span(), |raw| raw.keyword);
    let mut places = Places { process, keyword, variants: BTreeMap::new(), fields: Vec::new() };
    let keywords = raw.map(RawProcess::keywords_of_tasks).unwrap_or_default();
    for task in &checked.model.tasks {
        let at = keywords.get(&task.name().to_string()).copied();
        places.variants.insert(task.variant.to_string(), at.unwrap_or(places.keyword));
    }
    // The fields of a declared state are declared nowhere else.
    places.fields = checked.model.state_fields().iter().map(|field| field.name.clone()).collect();
    let state = places.place(outline.state);
    places.fields = Vec::new();
    state.into_iter().chain(places.place(outline.types)).collect()
}

/// The places of the generated names.
struct Places<'a> {
    process: &'a Ident,
    keyword: Span,
    variants: BTreeMap<String, Span>,
    /// The fields that keep their places.
    fields: Vec<Ident>,
}

impl Places<'_> {
    fn place(&self, tokens: TokenStream) -> TokenStream {
        let mut declares = false;
        let place = |token: TokenTree| {
            // Only the declaration of the process has its place. Otherwise an editor would show it several times.
            let is_declared = std::mem::replace(&mut declares, is_word(&token, "struct"));
            match token {
                TokenTree::Ident(word) if is_declared && word == *self.process => {
                    TokenTree::Ident(self.process.clone())
                }
                token => self.place_token(token),
            }
        };
        tokens.into_iter().map(place).collect()
    }

    fn place_token(&self, token: TokenTree) -> TokenTree {
        match token {
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), self.place(group.stream())))
            }
            TokenTree::Ident(mut word) => {
                if let Some(span) = self.span_of(&word) {
                    word.set_span(span);
                } else {
                    word.set_span(Span::call_site());
                }
                TokenTree::Ident(word)
            }
            mut token => {
                token.set_span(Span::call_site());
                token
            }
        }
    }

    /// Returns the place of a generated name.
    fn span_of(&self, word: &Ident) -> Option<Span> {
        if word == self.process {
            return None;
        }
        if let Some(field) = self.fields.iter().find(|field| *field == word) {
            return Some(field.span());
        }
        let name = word.to_string();
        let at = match self.variants.get(&name) {
            Some(span) => *span,
            None if name.starts_with(&self.process.to_string()) => self.keyword,
            None => return None,
        };
        Some(Span::mixed_site().located_at(at))
    }
}
